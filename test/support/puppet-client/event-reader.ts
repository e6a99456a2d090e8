/** Reads an event stream (HTML, 9.2.6) as its bytes come. */

export interface StreamEvent {
  id: string | undefined;
  event: string | undefined;
  data: string;
}

/** A function that takes the bytes; it calls `each` for every event that is complete. */
export function createEventReader(each: (event: StreamEvent) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    rest = (rest + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n');
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const fields = rest.slice(0, end).split('\n').map(field);
      rest = rest.slice(end + 2);
      const last = (name: string): string | undefined => fields.findLast((one) => one.name === name)?.value;
      const data = fields.flatMap(({ name, value }) => (name === 'data' ? [value] : [])).join('\n');
      if (fields.some(({ name }) => name !== '')) each({ id: last('id'), event: last('event'), data });
    }
  };
}

function field(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: line, value: '' };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value };
}

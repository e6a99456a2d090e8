/** Escapes in a text that is searched for values: undone to look, and kept as escapes where a value is masked. Pure. */

/** Escapes stay escapes, of a meaningless character. */
export function maskedPart(part: string, mask: (value: string) => string): string {
  const out = mask(part);
  if (!/[%\\]/.test(part)) return out;
  let kept = '';
  let copied = 0;
  for (const { 0: escape, index } of part.matchAll(anyEscape)) {
    kept += out.slice(copied, index) + (escape.length > 2 ? escape.replace(/[0-9A-Fa-f]{2}$/, '78') : escape);
    copied = index + escape.length;
  }
  return kept + out.slice(copied);
}

/** Percent-escapes, and those of strings in JSON and JavaScript. */
const anyEscape = /%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["\\/])/g;

/** A text as it reads with its escapes undone, and the place of each of its characters; undefined where it has none. */
export function unescaped(text: string): { text: string; at: number[] } | undefined {
  if (!/%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["\\/])/.test(text)) return undefined;
  const parts: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < text.length; ) {
    const length = escapeLength(text, index);
    const body = text.slice(index, index + length);
    parts.push(
      length === 1
        ? body
        : length === 2
          ? body[1]!
          : String.fromCharCode(Number.parseInt(body.replace(/^[%\\][ux]?/, ''), 16)),
    );
    at.push(index);
    index += length;
    collapse(parts, at);
  }
  at.push(text.length);
  return { text: parts.join(''), at };
}

/** An escape of an escape, `%2541` or `%25%34%31`, is undone as soon as it is complete. */
function collapse(parts: string[], at: number[]): void {
  while (
    parts.length >= 3 &&
    parts[parts.length - 3] === '%' &&
    /^[0-9A-Fa-f]$/.test(parts[parts.length - 2]!) &&
    /^[0-9A-Fa-f]$/.test(parts[parts.length - 1]!)
  ) {
    const low = parts.pop()!;
    const high = parts.pop()!;
    parts[parts.length - 1] = String.fromCharCode(Number.parseInt(high + low, 16));
    at.length -= 2;
  }
}

function escapeLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code !== 0x25 && code !== 0x5c) return 1;
  anyEscapeHere.lastIndex = index;
  return anyEscapeHere.exec(text)?.[0].length ?? 1;
}

const anyEscapeHere = new RegExp(anyEscape.source, 'y');

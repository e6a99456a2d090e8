/**
 * The three text formats that the message types name, as linear and tolerant scans: only certain faults are rejected,
 * finer points have separate rules. ajv-formats is not used here. Its expressions for these formats overflow the stack
 * on long texts (40 MB of Base64 throws a RangeError), which a target may send. No `node:` module, because compiled
 * validators carry this code.
 */

/** RFC 3986, but characters beyond ASCII pass (an IRI): a scheme, no blank or control character, whole %XX. */
export function isUri(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text.slice(0, 256))) return false;
  return !/[\u0000-\u0020"<>\\^`{|}\u007f]|%(?![0-9A-Fa-f]{2})/.test(text);
}

/** RFC 6570 as far as expressions go: braces are paired, not nested, not empty. */
export function isUriTemplate(text: string): boolean {
  let open = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b) {
      if (open >= 0) return false;
      open = at;
    } else if (code === 0x7d) {
      if (open < 0 || at === open + 1) return false;
      open = -1;
    }
  }
  return open < 0;
}

/** Base64 of either alphabet, padding optional, empty allowed; line ends and data URLs are refused. */
export function isBase64(text: string): boolean {
  const body = text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text;
  if (body.length % 4 === 1) return false;
  if (body.length !== text.length && text.length % 4 !== 0) return false;
  return !/[^A-Za-z0-9+/_-]/.test(body);
}

/** Under the names that the expanded schemas use. */
export const messageFormats: Record<string, (text: string) => boolean> = {
  uri: isUri,
  'uri-template': isUriTemplate,
  byte: isBase64,
};

/**
 * The form of a digest that stands for a text in a redacted trace: equal texts of one trace have equal ones. It shows
 * judges that the text itself was not seen. Pure.
 */
const beginning = 'redacted-';
/** Hexadecimal digits behind it. */
const digits = 16;

/** @param digest at least 16 hexadecimal digits */
export function standInOf(digest: string): string {
  return beginning + digest.slice(0, digits);
}

/** True for a text of that form: what it stands for is not known. */
export function isStandIn(text: string): boolean {
  if (text.length !== beginning.length + digits || !text.startsWith(beginning)) return false;
  for (let at = beginning.length; at < text.length; at += 1) if (!'0123456789abcdef'.includes(text[at]!)) return false;
  return true;
}

/**
 * The form of a digest that stands for a text in a redacted trace: equal texts of one trace have equal ones. It shows
 * judges that the text itself was not seen. Pure.
 */
export const standInBeginning = 'redacted-';
/** Hexadecimal digits behind it. */
const digits = 16;

/** @param digest at least 16 hexadecimal digits */
export function standInOf(digest: string): string {
  return standInBeginning + digest.slice(0, digits);
}

/** True for a text of that form: what it stands for is not known. */
export function isStandIn(text: string): boolean {
  if (text.length !== standInBeginning.length + digits || !text.startsWith(standInBeginning)) return false;
  for (let at = standInBeginning.length; at < text.length; at += 1)
    if (!'0123456789abcdef'.includes(text[at]!)) return false;
  return true;
}

/** The parts of a text around its stand-ins; one part, the text itself, where it has none. */
export function aroundStandIns(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(standInBeginning); at !== -1; at = text.indexOf(standInBeginning, at + 1)) {
    const end = at + standInBeginning.length + digits;
    if (at < from || !isStandIn(text.slice(at, end))) continue;
    parts.push(text.slice(from, at));
    from = end;
  }
  return [...parts, text.slice(from)];
}

/**
 * Keeps foreign text from steering the log of a CI system. GitHub obeys `::command::` at the start of a line, also
 * after spaces, and `##[` anywhere (and relatives with a word between). GitLab folds at `section_start:` and
 * `section_end:`. One function for every sink: what a reader sees stays the same, since the break has no width.
 */

/** No width, and no blank to those who trim a line. */
const breaker = '\u2060';

/** The text with nothing in it that a CI system takes for a command. Works on lines, so give it whole ones. */
export function withoutCommands(text: string): string {
  return text
    .replace(lineStart, (_all, before: string) => `${before}:${breaker}:`)
    .replace(/##(?=[A-Za-z]{0,20}\[)/g, `#${breaker}#`)
    .replace(/section_(?=(?:start|end):)/g, `section_${breaker}`);
}

/** Two colons behind nothing but blanks and colours. No character fits two of the choices, or trying would never end. */
// eslint-disable-next-line no-control-regex -- colours stand before text
const lineStart = /^((?:[^\S\r\n\u2028\u2029\ufeff]|\u001b\[[0-9;]*m|[\u200b\ufeff\u0000-\u0008\u000e-\u001a])*)::/gm;

/** The same within JSON text, where an escape changes nothing. */
export function jsonWithoutCommands(text: string): string {
  return text.replace(/##(?=[A-Za-z]{0,20}\[)/g, '#\\u0023').replace(/section_(?=(?:start|end):)/g, 'section\\u005f');
}

const inJson: ReadonlySet<string> = new Set(['json', 'results', 'sarif', 'ctrf', 'badge-json']);
/** GitHub is to obey its own format; pages and images have their own use of two colons, and are not read in logs. */
const asTheyAre: ReadonlySet<string> = new Set(['github', 'html', 'badge-svg']);

/** A report on its way to stdout, which a CI system may log. @param format by the name that flags have */
export function reportForLog(text: string, format: string): string {
  if (asTheyAre.has(format)) return text;
  return inJson.has(format) ? jsonWithoutCommands(text) : withoutCommands(text);
}

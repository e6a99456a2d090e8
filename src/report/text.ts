/**
 * Text that came from a server, made fit to show: nothing that moves a cursor, reorders a line or hides, and no
 * code point that a format cannot carry. Escaping for a format is not done here (see helpers.ts).
 */

/**
 * Controls other than tab and line feed, marks that reorder or hide text, tag characters, lone surrogates and
 * noncharacters. The joiners U+200C and U+200D stay: scripts and emoji need them.
 */
const unfit =
  // eslint-disable-next-line no-control-regex -- finding them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}\p{Cs}]/gu;

/** Unfit code points become visible escapes (`\u001b`); line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replace(unfit, (char) => {
    const code = char.codePointAt(0)!;
    if (code === 0x0d) return '\\r';
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** As `visible`, on one line: runs of white space become one space. */
export function oneLine(text: string): string {
  return visible(text.replace(/\r\n?/g, '\n')).replace(/\s+/g, ' ').trim();
}

/** At most `max` UTF-16 units with an ellipsis, never cutting a surrogate pair. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, Math.max(0, max - 1));
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** `850 ms`, `1.23 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `87.5`, `100.0`; an en dash when there is none. */
export function formatScore(score: number | null): string {
  return score === null ? '–' : score.toFixed(1);
}

/** `2026-11-21 22:39:04 UTC` from ISO 8601; anything else as it is. */
export function formatTime(iso: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso);
  return match ? `${match[1]} ${match[2]} UTC` : oneLine(iso);
}

/** With a capital at its beginning. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 rule`, `2 rules`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** An http or https address, or null: no other scheme may become a link. */
export function webLink(link: string | null): string | null {
  return link !== null && /^https?:\/\/[^\s"'<>`\\]+$/i.test(link)
    ? visible(link).replaceAll('(', '%28').replaceAll(')', '%29')
    : null;
}

/** Share of the rules that apply that were decided, in whole percent, never rounded up; a dash where none applies. */
export function coverageText(decided: number, applies: number): string {
  return applies === 0 ? '–' : `${Math.floor((100 * decided) / applies)} %`;
}

/** Name of the profile in a report; null for the full one. */
export function profileWords({ profile }: { profile?: 'quick' }): string | null {
  return profile === 'quick' ? 'quick profile' : null;
}

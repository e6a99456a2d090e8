/**
 * Handlebars helpers: each escapes a value for one format. They return a SafeString because what they return is
 * safe there, so no template needs raw output. They hold no logic of a report.
 */
import { withoutCommands } from '../../core/model/ci-logs.ts';
import { createHash } from 'node:crypto';
import type Handlebars from 'handlebars';
import { asText } from '../../core/model/json.ts';

type Env = Pick<typeof Handlebars, 'registerHelper' | 'SafeString'>;

/** Registers `json`, `sarif`, `xml`, `md`, `code`, `fence`, `command`, `property`, `tap`, `yaml` and `sha256` on an environment. */
export function registerHelpers(env: Env, partialText: (name: string) => string): void {
  const safe = (escape: (value: unknown) => string) => (value: unknown) => new env.SafeString(escape(value));
  env.registerHelper('json', safe(escapeJson));
  env.registerHelper('sarif', safe(sarifText));
  env.registerHelper('xml', safe(escapeXml));
  env.registerHelper('md', safe(escapeMarkdown));
  env.registerHelper('code', safe(markdownCode));
  env.registerHelper('fence', safe(markdownFence));
  env.registerHelper('command', safe(escapeCommandData));
  env.registerHelper('property', safe(escapeCommandProperty));
  env.registerHelper('tap', safe(escapeTap));
  env.registerHelper('yaml', safe(yamlText));
  env.registerHelper('sha256', (name: unknown) => {
    const hash = createHash('sha256')
      .update(partialText(asText(name)), 'utf8')
      .digest('base64');
    return new env.SafeString(`sha256-${hash}`);
  });
}

/** JSON text that may also stand inside an HTML script element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value ?? null).replace(
    /[<>&\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * JSON text of a SARIF message string (SARIF 2.1.0, 3.11): braces are doubled, for single ones mark placeholders,
 * and what looks like an embedded link is pulled apart.
 */
export function sarifText(value: unknown): string {
  return escapeJson(
    asText(value ?? '')
      .replace(/[{}]/g, '$&$&')
      .replaceAll('](', '] ('),
  );
}

const xmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // As character references, or a parser would turn them into spaces inside an attribute.
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
};

/** Text for XML content and quoted attributes; drops the code points that XML 1.0 cannot hold. */
export function escapeXml(value: unknown): string {
  return asText(value ?? '')
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"'\n\t\r]/g, (char) => xmlEntities[char]!);
}

/** Text for a Markdown paragraph or table cell: no markup, no HTML, on one line. */
export function escapeMarkdown(value: unknown): string {
  return (
    asText(value ?? '')
      .replace(/\s+/g, ' ')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/[\\`*_{}[\]()#+!|~$]/g, '\\$&')
      // A bare address or a mention would become a link or notify a user.
      .replace(/@/g, '&#64;')
      .replace(/(https?|ftp):\/\//gi, '$1&#58;//')
      .replace(/\bwww\./gi, 'www&#46;')
      // Characters that would start a list or underline a heading.
      .replace(/^(\s*)(?=[-=])/, '$1\\')
      .replace(/^(\s*\d+)(?=[.)](?:\s|$))/, '$1\\')
  );
}

/** Code span; longer runs of backticks in the text lengthen the delimiter. Not for table cells, where a pipe would end the cell. */
export function markdownCode(value: unknown): string {
  const text = asText(value ?? '').replace(/\s+/g, ' ');
  const ticks = '`'.repeat(longestRun(text, /`+/g) + 1);
  const pad = text === '' || /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** Fenced block whose fence is longer than any run of backticks in the text. */
export function markdownFence(value: unknown): string {
  const text = asText(value ?? '');
  const fence = '`'.repeat(Math.max(3, longestRun(text, /`+/g) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

/** Data of a GitHub workflow command. */
export function escapeCommandData(value: unknown): string {
  return withoutCommands(asText(value ?? ''))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

/** Value of a property of a GitHub workflow command. */
export function escapeCommandProperty(value: unknown): string {
  return escapeCommandData(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A text as a YAML scalar, in quotes where it could be read as anything else. */
function yamlText(value: unknown): string {
  const text = asText(value ?? '');
  const isPlain = /^(?:\.{0,2}\/|\.?[A-Za-z_])[\w./@+=-]*(?: [\w./@+=&-]+)*$/.test(text);
  return isPlain && !/^(?:true|false|null|yes|no|on|off|y|n|\.inf|\.nan)$/i.test(text) ? text : JSON.stringify(text);
}

/** A description of TAP 14, in which a number sign begins a directive. */
function escapeTap(value: unknown): string {
  return asText(value ?? '')
    .replaceAll('\\', '\\\\')
    .replaceAll('#', '\\#')
    .replace(/[\r\n]+/g, ' ');
}

function longestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/**
 * True if a URI is an expansion of a URI template (RFC 6570), for simple templates: literal text with `{name}` and
 * `{+name}`. Of anything else it says no. Runs in time proportional to the lengths.
 */

interface Part {
  literal: string;
  /** Text after the literal: nothing, a segment (no slash), or anything. */
  then?: 'segment' | 'anything';
}

/** A template that has been read. */
export interface UriTemplate {
  /** True only where the template has at least one variable, and each of them a value that is not empty. */
  expandsTo(uri: string): boolean;
  scheme: string;
  takesAnyPath: boolean;
}

const plain = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/y;
const longest = 4000;

function partsOf(template: string): Part[] | undefined {
  const parts: Part[] = [];
  let at = 0;
  while (at <= template.length) {
    const open = template.indexOf('{', at);
    if (open < 0) return [...parts, { literal: template.slice(at) }];
    plain.lastIndex = open;
    const found = plain.exec(template);
    if (!found) return undefined;
    parts.push({ literal: template.slice(at, open), then: found[1] === '+' ? 'anything' : 'segment' });
    at = plain.lastIndex;
  }
  return parts;
}

export function readTemplate(template: string): UriTemplate {
  const parts = template.length > longest ? undefined : partsOf(template);
  return {
    expandsTo: (uri) => isExpansion(parts, uri),
    scheme: schemeOf(template),
    takesAnyPath: takesAnyPath(template),
  };
}

function isExpansion(parts: readonly Part[] | undefined, uri: string): boolean {
  if (!parts || parts.length < 2 || uri.length > longest) return false;
  const [first, ...rest] = parts;
  if (!uri.startsWith(first!.literal)) return false;
  let at = first!.literal.length;
  let variable = first!.then!;
  for (const [index, { literal, then }] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = isLast ? uri.length - literal.length : uri.indexOf(literal, at + 1);
    // Two variables side by side leave open where one ends.
    if ((!isLast && literal === '') || end <= at || !uri.startsWith(literal, end)) return false;
    const value = uri.slice(at, end);
    if (variable === 'segment' && /[/?#]/.test(value)) return false;
    at = end + literal.length;
    if (then) variable = then;
  }
  return true;
}

/** The scheme with its colon, in lower case; empty when there is none. */
export function schemeOf(uri: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(uri.slice(0, 100))?.[0].toLowerCase() ?? '';
}

/** A template that may be meant for every path: a variable directly behind the scheme, or one whose value may have slashes. */
function takesAnyPath(template: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/*\{|\{[+/#]/.test(template.slice(0, longest));
}

/** URI templates (RFC 6570) as far as coverage needs them. Pure. */

/** Names of the variables of simple forms. */
export function variablesIn(template: string): string[] {
  return [...new Set([...template.matchAll(/\{[+#]?([A-Za-z0-9_.%]+)\}/g)].map(([, variable]) => variable!))];
}

/** True if a URI can be an expansion of the template: its fixed parts appear in order, with something in each gap. */
export function templateFits(template: string, uri: string): boolean {
  const fixed = template.split(/\{[^{}]*\}/);
  if (fixed.length === 1) return template === uri;
  const [first = ''] = fixed;
  const last = fixed.at(-1)!;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return false;
  let at = first.length;
  for (const part of fixed.slice(1, -1)) {
    const found = uri.indexOf(part, at + 1);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at < uri.length - last.length;
}

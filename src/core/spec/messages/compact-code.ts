/**
 * Shortens the code that ajv writes for message schemas, without changing its findings. Two thirds of it are the same
 * few lines, which take as much space as the rest of mcpc and are parsed in each check.
 */

const text = String.raw`"(?:[^"\\]|\\.)*"`;
/** An error is made and kept. */
const kept = new RegExp(
  String.raw`const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:(${text}),keyword:(${text}),params:(.*?)\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;`,
  'g',
);
/** A result for callers that need evaluated members; there are none without unevaluated ones. */
const evaluated =
  /const evaluated0 = validate\d+\.evaluated;if\(evaluated0\.dynamicProps\)\{evaluated0\.props = undefined;\}if\(evaluated0\.dynamicItems\)\{evaluated0\.items = undefined;\}|evaluated0\.(?:props|items) = \w+;|validate\d+\.evaluated = \{.*?\};(?=function |export |const |validate|\s|$)/g;
/** Support for custom keywords and dynamic references. */
const parents =
  /, parentData, parentDataProperty, rootData=data, dynamicAnchors=\{\}(?=\}=\{\}\))|,parentData(?::[^,]*)?,parentDataProperty(?::[^,]*)?,rootData,dynamicAnchors(?=\})/g;

const note =
  'function note(list, instancePath, schemaPath, keyword, params) { const error = { instancePath, schemaPath, keyword, params }; if (list === null) return [error]; list.push(error); return list; }';

/** @throws Error where the code holds something that this leaves without a meaning: ajv writes otherwise than it did */
export function compactCode(code: string): string {
  const shorter = code
    .replaceAll(
      kept,
      (_whole, _name, path: string | undefined, schemaPath: string, keyword: string, params: string) =>
        `vErrors = note(vErrors, ${path ?? 'instancePath'}, ${schemaPath}, ${keyword}, ${params});errors++;`,
    )
    .replaceAll(evaluated, '')
    .replaceAll(parents, '');
  const left = /\.evaluated\b|\bevaluated\d|parentData|dynamicAnchors|const err\d+ = \{instancePath/.exec(shorter);
  if (left)
    throw new Error(`the compiled validators hold ${shorter.slice(Math.max(0, left.index - 100), left.index + 200)}`);
  return `${shorter}\n${note}`;
}

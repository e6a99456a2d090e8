/** Replaces what a file calls volatile: JSON paths into results, their structured content and JSON in their texts. Pure. */
import { isObject } from '../../../core/model/json.ts';
import { setAt } from '../../../core/faults/edit-path.ts';
import { jsonOf, pathSteps } from '../json-text.ts';
import { jsonWithin } from './masks.ts';

/** Replacement of a volatile value. */
const standIn = '<volatile>';

/**
 * The path in the notation of RFC 9535. Names in suite files are any text between dots and brackets; paths with
 * wildcards, filters or quotes are read as they are.
 */
export function standardPath(path: string): string {
  if (/[*?'"@:]|\.\./.test(path)) return path.startsWith('$') ? path : `$.${path}`;
  return `$${pathSteps(path)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `[${JSON.stringify(step)}]`))
    .join('')}`;
}

/** Fault of a path; undefined for a readable one. */
export function pathProblem(path: string): string | undefined {
  try {
    setAt(null, standardPath(path), (old) => old);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * A copy of a result, or of anything else, with what the paths select replaced; `$` is the text. A path counts from the
 * result, from `structuredContent`, and from the JSON of each text.
 * @throws Error for a path that cannot be read
 */
export function withoutVolatile(result: unknown, paths: readonly string[]): unknown {
  return paths
    .map(standardPath)
    .reduce((value, path) => (path === '$' ? withTexts(value, () => standIn) : replaced(value, path)), result);
}

function replaced(result: unknown, path: string): unknown {
  const put = (value: unknown): unknown => setAt(value, path, (old) => (old === undefined ? undefined : standIn));
  const own = put(result);
  const inner =
    isObject(own) && isObject(own['structuredContent'])
      ? { ...own, structuredContent: put(own['structuredContent']) }
      : own;
  return withTexts(inner, (text) => {
    const json = jsonWithin(text);
    return json === undefined ? text : jsonOf(put(json.value));
  });
}

/** Texts of content, contents and messages. */
function withTexts(result: unknown, change: (text: string) => string): unknown {
  if (!isObject(result)) return result;
  const lists = ['content', 'contents', 'messages'].filter((name) => Array.isArray(result[name]));
  return {
    ...result,
    ...Object.fromEntries(
      lists.map((name) => [name, (result[name] as unknown[]).map((block) => withText(block, change))]),
    ),
  };
}

function withText(block: unknown, change: (text: string) => string): unknown {
  if (!isObject(block)) return block;
  if (typeof block['text'] === 'string') return { ...block, text: change(block['text']) };
  if (isObject(block['content'])) return { ...block, content: withText(block['content'], change) };
  return isObject(block['resource']) ? { ...block, resource: withText(block['resource'], change) } : block;
}

/** Expectations about an answer as a whole: errors, structured content, schemas, contents, HTTP, time and size. */
import type { JsonSchemas } from '../../../core/json-schema/json-schemas.ts';
import { asNumber, asText, isObject } from '../../../core/model/json.ts';
import { jsonOf } from '../json-text.ts';
import { expectation, kinds, printed, quoted } from '../expectation.ts';
import type { Expectation, OptionKind } from '../expectation.ts';
import { inOrderOf } from '../../../core/drift/offer-order.ts';
import { equalTo, partDiffers, pathDiffers } from './differences.ts';
import type { Finding, Subject } from '../subject.ts';
import { compilePattern, preparePatterns } from './patterns.ts';

type Json = Record<string, unknown>;

/** Bytes of a token, by common tokenizers of English text. */
const bytesOfToken = 4;

const object = (properties: Json): OptionKind<Json> => ({
  schema: { type: 'object', properties, additionalProperties: false },
  read: (part) => part.value as Json,
});
const anyObject: OptionKind<Json> = { schema: { type: 'object' }, read: (part) => part.value as Json };
/** A path is replaced by the schema in its file when the suite is read. */
const schemaOption: OptionKind<Json | boolean> = {
  schema: { type: ['object', 'boolean', 'string'] },
  read: (part) => part.value as Json | boolean,
};
const textType = { type: ['string', 'number', 'boolean'] };

let schemas: JsonSchemas | undefined;

async function prepareSchemas(): Promise<void> {
  schemas ??= (await import('../../../core/json-schema/json-schemas.ts')).createJsonSchemas('2025-11-25');
}

/** Findings of a value under a schema; undefined if uncertain. */
function fit(schema: unknown, value: unknown): { path: string; message: string }[] | undefined {
  return schemas!.conformance(schema, value);
}

export const errorExpectation: Expectation = expectation<true | Json>({
  name: 'expect_error',
  takesErrors: true,
  prepare: preparePatterns,
  says: 'The answer is a JSON-RPC error: `true`, or its `code`, a pattern (RE2) for `message`, and partial `data`.',
  option: {
    schema: {
      anyOf: [
        { const: true },
        {
          type: 'object',
          properties: { code: { type: 'integer' }, message: textType, data: {} },
          additionalProperties: false,
        },
      ],
    },
    read: (part) => (part.value === true ? true : (part.value as Json)),
  },
  test({ error, text, isError }, wanted) {
    if (error === undefined)
      return {
        words: `expected a JSON-RPC error, got a result${isError ? ' with isError: true' : ''}`,
        expected: wanted === true ? 'an error' : printed(wanted),
        actual: text,
      };
    if (wanted === true) return undefined;
    const seen = printed(error);
    if (wanted['code'] !== undefined && !equalTo(error.code, wanted['code']))
      return {
        words: `expect_error: want code ${printed(wanted['code'])}, got ${printed(error.code)}`,
        expected: printed(wanted),
        actual: seen,
        at: ['code'],
      };
    if (wanted['message'] !== undefined) {
      const pattern = compilePattern(asText(wanted['message']));
      if ('problem' in pattern)
        return {
          words: `expect_error: invalid pattern ${quoted(asText(wanted['message']))}: ${pattern.problem}`,
          at: ['message'],
        };
      if (!pattern.matches(asText(error.message)))
        return {
          words: `expect_error: message ${printed(error.message)} does not match ${quoted(asText(wanted['message']))}`,
          expected: printed(wanted),
          actual: seen,
          at: ['message'],
        };
    }
    const lack = wanted['data'] === undefined ? undefined : partDiffers(error.data, wanted['data'], 'data');
    return lack === undefined
      ? undefined
      : { words: `expect_error: ${lack}`, expected: printed(wanted), actual: seen, at: ['data'] };
  },
});

export const answerExpectations: readonly Expectation[] = [
  errorExpectation,
  expectation<Json>({
    name: 'structured',
    says: 'The structured content of a tool, or any other result, has at least these properties; a name that begins with `$` is a path. In lists of tools, prompts, resources or templates the order does not count.',
    option: anyObject,
    test({ result, list }, wanted) {
      const value = isObject(result) && 'structuredContent' in result ? result['structuredContent'] : result;
      for (const [name, due] of Object.entries(wanted)) {
        const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
        const isOffer = name === list && Array.isArray(member) && Array.isArray(due);
        const lack = name.startsWith('$')
          ? pathDiffers(value, name, due)
          : partDiffers(isOffer ? inOrderOf(due, member) : member, due, name);
        if (lack !== undefined)
          return { words: `structured: ${lack}`, expected: printed(wanted), actual: printed(value), at: [name] };
      }
      return undefined;
    },
  }),
  expectation<boolean>({
    name: 'output_schema',
    prepare: prepareSchemas,
    says: 'The structured content matches the `outputSchema` of the tool.',
    option: kinds.flag,
    test({ result, tool }, wanted) {
      if (!wanted) return undefined;
      if (tool === undefined) return { words: 'output_schema: the tool is not in tools/list' };
      if (tool['outputSchema'] === undefined)
        return { words: 'output_schema: the tool has none', expected: 'outputSchema', actual: 'none' };
      const content = isObject(result) ? result['structuredContent'] : undefined;
      if (content === undefined)
        return {
          words: 'output_schema: the result has no structuredContent',
          expected: 'structuredContent',
          actual: 'none',
        };
      return unfit('output_schema', tool['outputSchema'], content);
    },
  }),
  expectation<Json | boolean>({
    name: 'schema',
    prepare: prepareSchemas,
    says: 'The structured content, else the JSON in the text, matches this JSON Schema or schema file.',
    option: schemaOption,
    test({ text, result }, schema) {
      let value: unknown = isObject(result) ? result['structuredContent'] : undefined;
      if (value === undefined) {
        try {
          value = JSON.parse(text);
        } catch {
          return {
            words: 'schema: the answer holds neither structuredContent nor JSON',
            expected: 'JSON',
            actual: text,
          };
        }
      }
      return unfit('schema', schema, value);
    },
  }),
  expectation<Json | boolean>({
    name: 'result_schema',
    prepare: prepareSchemas,
    says: 'The whole result matches this JSON Schema or schema file.',
    option: schemaOption,
    test: ({ result }, schema) => unfit('result_schema', schema, result),
  }),
  expectation<Json[]>({
    name: 'content',
    says: 'The content blocks, in order: `type`, `mime_type`, `min_bytes` (of decoded data), partial `text`, partial `annotations`.',
    option: {
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            type: textType,
            mime_type: textType,
            min_bytes: { type: 'integer', minimum: 0 },
            text: textType,
            annotations: { type: 'object' },
          },
          additionalProperties: false,
        },
      },
      read: (part) => part.value as Json[],
    },
    test({ result }, wanted) {
      const blocks = contentOf(result);
      if (blocks.length !== wanted.length)
        return {
          words: `content: want ${wanted.length} block(s), got ${blocks.length}`,
          expected: printed(wanted),
          actual: blocks.map((block) => asText(block['type'])).join(', ') || 'none',
        };
      for (const [index, due] of wanted.entries()) {
        const lack = blockDiffers(blocks[index]!, due);
        if (lack !== undefined)
          return {
            words: `content[${index}]: ${lack}`,
            expected: printed(due),
            actual: printed(blocks[index]).slice(0, 500),
            at: [index],
          };
      }
      return undefined;
    },
  }),
  expectation<Json>({
    name: 'http',
    prepare: preparePatterns,
    says: 'The HTTP reply has this `status` and these `headers`, with patterns (RE2) as values.',
    option: object({ status: { type: 'integer' }, headers: { type: 'object', additionalProperties: textType } }),
    test({ http }, wanted) {
      if (http === undefined) return { words: 'http: the answer came over no HTTP' };
      if (wanted['status'] !== undefined && http.status !== wanted['status'])
        return {
          words: `http: want status ${printed(wanted['status'])}, got ${http.status}`,
          expected: printed(wanted['status']),
          actual: String(http.status),
          at: ['status'],
        };
      for (const [name, due] of Object.entries((wanted['headers'] ?? {}) as Record<string, unknown>)) {
        const value = http.headers[name.toLowerCase()];
        const pattern = compilePattern(asText(due));
        if ('problem' in pattern) return { words: `http: invalid pattern ${quoted(asText(due))}: ${pattern.problem}` };
        if (value === undefined || ![value].flat().some((one) => pattern.matches(one)))
          return {
            words: `http: header ${name}: want ${quoted(asText(due))}, got ${value === undefined ? 'none' : printed(value)}`,
            expected: asText(due),
            actual: printed(value ?? null),
            at: ['headers', name],
          };
      }
      return undefined;
    },
  }),
  limit('max_ms', 'The answer comes within so many milliseconds.', ({ tookMs }) => tookMs, 'ms'),
  limit('max_bytes', 'The answer has at most so many bytes as JSON.', ({ bytes }) => bytes, 'bytes'),
  limit(
    'max_tokens',
    'The answer has at most so many tokens, estimated as a quarter of its bytes.',
    ({ bytes }) => (bytes === undefined ? undefined : Math.ceil(bytes / bytesOfToken)),
    'tokens',
  ),
  expectation<Json>({
    name: 'progress',
    says: 'Progress arrives at least `min` times, always grows (`grows: true`), and reaches its `total` (`complete: true`).',
    option: object({ min: { type: 'integer', minimum: 0 }, grows: { type: 'boolean' }, complete: { type: 'boolean' } }),
    test({ progress }, { min, grows, complete }) {
      const seqs = progress.slice(-10).map(({ seq }) => seq);
      const values = progress.map(({ params }) => params as { progress?: unknown; total?: unknown });
      const actual =
        values
          .map(({ progress: one, total }) => `${printed(one)}${total === undefined ? '' : `/${printed(total)}`}`)
          .join(', ') || 'none';
      if (typeof min === 'number' && progress.length < min)
        return {
          words: `expected at least ${min} progress notification(s), got ${progress.length}`,
          expected: `at least ${min}`,
          actual,
          seqs,
        };
      if (
        grows === true &&
        values.some(({ progress: one }, index) => index > 0 && !(asNumber(one) > asNumber(values[index - 1]!.progress)))
      )
        return { words: 'progress: it does not grow with each notification', expected: 'growing', actual, seqs };
      const last = values.at(-1);
      if (complete === true && (last?.total === undefined || last.progress !== last.total))
        return { words: 'progress: it does not come to its total', expected: 'the total', actual, seqs };
      return undefined;
    },
  }),
];

function limit(name: string, says: string, read: (subject: Subject) => number | undefined, unit: string): Expectation {
  return expectation<number>({
    name,
    says,
    option: kinds.count,
    test(subject, most) {
      const value = read(subject);
      if (value === undefined) return { words: `${name}: there is no answer to measure` };
      return value <= most
        ? undefined
        : {
            words: `${name}: want at most ${most} ${unit}, got ${Math.round(value)}`,
            expected: `at most ${most} ${unit}`,
            actual: `${Math.round(value)} ${unit}`,
          };
    },
  });
}

function unfit(name: string, schema: unknown, value: unknown): Finding | undefined {
  const findings = fit(schema, value);
  if (findings === undefined)
    return {
      words: `${name}: the schema cannot be judged (its dialect is not known, or it is too large)`,
      actual: printed(value),
    };
  const [first] = findings;
  return first === undefined
    ? undefined
    : {
        words: `${name}: ${first.path === '' ? 'the value' : first.path} ${first.message}`,
        expected: jsonOf(schema).slice(0, 2000),
        actual: printed(value),
      };
}

function contentOf(result: unknown): Json[] {
  const content = isObject(result) ? (result['content'] ?? result['contents'] ?? result['messages']) : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function blockDiffers(block: Json, due: Json): string | undefined {
  const mime = block['mimeType'] ?? (isObject(block['resource']) ? block['resource']['mimeType'] : undefined);
  const data = [block['data'], block['blob'], block['text']].find((one) => typeof one === 'string') as
    | string
    | undefined;
  if (due['type'] !== undefined && block['type'] !== due['type'])
    return `want type ${printed(due['type'])}, got ${printed(block['type'])}`;
  if (due['mime_type'] !== undefined && mime !== due['mime_type'])
    return `want MIME type ${printed(due['mime_type'])}, got ${printed(mime)}`;
  if (due['text'] !== undefined && !(typeof block['text'] === 'string' && block['text'].includes(asText(due['text']))))
    return `want text ${printed(due['text'])}`;
  const bytes =
    data === undefined ? 0 : data === block['text'] ? new TextEncoder().encode(data).length : base64Bytes(data);
  if (typeof due['min_bytes'] === 'number' && bytes < due['min_bytes'])
    return `want at least ${due['min_bytes']} bytes, got ${bytes}`;
  return due['annotations'] === undefined
    ? undefined
    : partDiffers(block['annotations'], due['annotations'], 'annotations');
}

/** Number of bytes of a base64 text, from its length. */
function base64Bytes(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === '=') end -= 1;
  return Math.floor((end * 3) / 4);
}

/**
 * Every kind of message that a server sends has rules that look at its shape: what the corpus of refused messages
 * holds is failed by some rule when a server sends it, and what the corpus of accepted ones holds by none.
 */
import { describe, expect, test } from 'vitest';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { loadValidators } from '../../src/files/package/load-validators.ts';
import type { MessageValidators } from '../../src/core/spec/messages/message-validator.ts';
import { eraOf, revisions } from '../../src/core/spec/revisions.ts';
import { readCorpus, type CorpusCase } from '../spec/messages/corpus.ts';
import { judgeByAll, loadProject } from '../support/rules.ts';

type Json = Record<string, unknown>;

const project = await loadProject();
const accept = readCorpus('accept');
const reject = readCorpus('reject');

/** Params that make a request of the client a correct one, as far as rules about the answer look at them. */
const asked: Record<string, Json> = {
  'tools/call': { name: 'search', arguments: {} },
  'prompts/get': { name: 'greeting' },
  'resources/read': { uri: 'file:///a.txt' },
  'resources/subscribe': { uri: 'file:///a.txt' },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'greeting' }, argument: { name: 'who', value: '' } },
  'tasks/get': { taskId: 't1' },
};

/** Where a part of a message stands: the message that has it, and the types that hold it. */
const parts: Record<string, (value: unknown) => { method: string; result?: unknown; params?: unknown }> = {
  Tool: (value) => ({ method: 'tools/list', result: { tools: [value] } }),
  Resource: (value) => ({ method: 'resources/list', result: { resources: [value] } }),
  ResourceTemplate: (value) => ({ method: 'resources/templates/list', result: { resourceTemplates: [value] } }),
  Prompt: (value) => ({ method: 'prompts/list', result: { prompts: [value] } }),
  SamplingMessage: (value) => ({ method: 'sampling/createMessage', params: { messages: [value], maxTokens: 5 } }),
  ModelPreferences: (value) => ({
    method: 'sampling/createMessage',
    params: { messages: [], maxTokens: 5, modelPreferences: value },
  }),
  PrimitiveSchemaDefinition: (value) => ({
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: { who: value } } },
  }),
};

/** What has to be there before an answer means anything. */
const before: Record<string, string[]> = {
  'tasks/get': [
    '> {"id":7,"method":"tools/call","params":{"name":"work","arguments":{},"task":{"ttl":60000}}}',
    '< {"id":7,"result":{"task":{"taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":60000}}}',
  ],
};

/** These look at the course of the conversation, at more than shapes, or at what a page demands beyond its schema (a MIME type in prompts), and the corpus has none of it. */
const beyondShape = new Set([
  'progress/token-active-reference',
  'cancellation/notification-own-request',
  'cancellation/notification-request-id',
  'tools/result-structured-text-copy',
  'resources/uri-custom-scheme-syntax',
  'sampling/messages-tool-result-purity',
  'sampling/tool-result-id-match',
  'prompts/content-embedded-resource',
]);

const clientCapabilities = { sampling: { tools: {}, context: {} }, elicitation: { form: {}, url: {} }, roots: {} };
const serverCapabilities = {
  tools: {},
  prompts: {},
  resources: { subscribe: true },
  logging: {},
  completions: {},
  tasks: { requests: { tools: { call: {} } } },
};

/** The lines of a trace in which a server sends the value; undefined for what no server sends. */
function linesFor({ type, value }: CorpusCase, { methods }: MessageValidators): string[] | undefined {
  const answer = (method: string, result: unknown): string[] => [
    ...(before[method] ?? []),
    `> ${JSON.stringify({ id: 1, method, ...(asked[method] ? { params: asked[method] } : {}) })}`,
    `< ${JSON.stringify({ id: 1, result })}`,
  ];
  const sends = (message: unknown): string[] => [
    '> {"id":9,"method":"tools/list"}',
    `< ${JSON.stringify(message)}`,
    '< {"id":9,"result":{"tools":[]}}',
  ];
  const part = parts[type]?.(value);
  if (part && !(part.method in methods)) return undefined;
  if (part)
    return part.result === undefined
      ? sends({ id: 1, method: part.method, params: part.params })
      : answer(part.method, part.result);
  for (const [method, info] of Object.entries(methods)) {
    if (info.result === type && info.from !== 'server' && method !== 'initialize') return answer(method, value);
    if (info.from === 'client') continue;
    if (info.message === type) return sends(value);
    if (info.params === type) return sends({ ...(info.kind === 'request' ? { id: 1 } : {}), method, params: value });
  }
  return undefined;
}

async function failures(
  lines: string[],
  revision: Revision,
  except: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const example: RuleExample = { verdict: 'fail', trace: lines, revision, clientCapabilities, serverCapabilities };
  const trace = exampleTrace(example, { transport: 'stdio', revision, era: eraOf(revision) });
  const outcomes = await judgeByAll(project.plan.rules, trace, 'server');
  return outcomes
    .filter(({ status, rule }) => status === 'error' || (status === 'fail' && !except.has(rule.id)))
    .map(({ rule, actual, reason }) => `${rule.id}: ${actual ?? reason}`);
}

describe.each(revisions.filter((revision) => eraOf(revision) === 'stateful'))(
  'messages of a server of %s',
  async (revision) => {
    const validators = await loadValidators(revision);
    const due = (corpus: CorpusCase[]) =>
      corpus
        .filter((one) => one.revisions.includes(revision))
        .flatMap((one) => {
          const lines = linesFor(one, validators);
          return lines ? [{ ...one, lines }] : [];
        });

    test.each(due(reject))('a wrong $type, line $line, is failed by some rule', async ({ lines, ...one }) => {
      expect(await failures(lines, revision), JSON.stringify(one.value)).not.toEqual([]);
    });

    test.each(due(accept))('a right $type, line $line, is failed by none', async ({ lines, ...one }) => {
      expect(await failures(lines, revision, beyondShape), JSON.stringify(one.value)).toEqual([]);
    });
  },
);

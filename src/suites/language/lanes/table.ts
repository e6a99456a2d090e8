/** The lanes: keys of a lane file that hold tests. One entry each; the schema and the documentation are made from them. */
import { laneModelReason } from '../../../sdk/lanes.ts';
import { argumentsSchema, objectOf, textOf } from '../blocks/block.ts';
import type { JsonSchema } from '../expectation.ts';
import { timeoutOf } from '../duration-part.ts';
import type { Part } from '../part.ts';
import type { Place, Problem } from '../yaml-source.ts';
import type { Act, CheckServer, Demand, SuiteCase } from '../model.ts';
import { mappingAt, valuesRequest } from '../steps/step-kind.ts';
import { targetExpectation } from './target.ts';
import { snapshotExpectations } from '../snapshot/snapshot.ts';

/** A test of a lane before it has a server. */
export interface LaneTest {
  part: Part;
  name: string;
  /** Name of the server, and its place; the only one of the file when absent. */
  server?: { name: string; place: Place };
  title: string;
  about?: string;
  act: Act;
  demands: Demand[];
  snapshotTarget?: string;
  skip?: SuiteCase['skip'];
  tags: string[];
  timeoutMs?: number;
}

export interface LaneContext {
  /** Path of the file, for commands that are printed. */
  path: string;
  /** Names of the servers of the file. */
  servers: readonly string[];
  problems: Problem[];
}

export interface Lane {
  key: string;
  says: string;
  schema: JsonSchema;
  read(lane: Part, context: LaneContext): LaneTest[];
}

const list = (item: JsonSchema): JsonSchema => ({ type: 'array', items: item });

const expect: JsonSchema = {
  type: 'array',
  description: 'What has to hold of the response.',
  items: objectOf(
    {
      target: textOf('Path of a value: result.content[0].text, error.code, duration_ms.'),
      matcher: { $ref: '#/$defs/lane-matcher' },
    },
    ['target', 'matcher'],
  ),
};

/** Common members of tests. */
const common: Record<string, JsonSchema> = {
  name: textOf('What holds when it passes.'),
  description: textOf('For the reader.'),
  server: textOf('Name of the server; may be left out where there is one.'),
  expect,
  tags: { type: 'array', items: { type: 'string' } },
  skip: { type: ['boolean', 'string'], description: 'Do not run it; a text says why.' },
  timeout: textOf('Time for the whole test, as 10s.'),
  timeout_ms: { type: 'integer', minimum: 1 },
};

/** Rules about what tools say of themselves. */
const definitionRules = [
  'tools/annotations-schema',
  'tools/input-schema-*',
  'tools/list-item-schema',
  'tools/name-*',
  'tools/output-schema-*-root',
];

const checkMembers: Record<string, JsonSchema> = {
  level: { enum: ['must', 'should', 'may'] },
  min_grade: { enum: ['A', 'B', 'C', 'D', 'F'] },
  only: { type: 'array', items: { type: 'string' } },
  skip: { type: 'array', items: { type: 'string' } },
};

export const lanes: readonly Lane[] = [
  requestLane('tools', 'tool', 'Calls a tool with the arguments `args`.', (part) => {
    const tool = part.at('tool').text() ?? '';
    return {
      act: valuesRequest('tools/call', { name: tool, arguments: mappingAt(part, 'args') }, 'tool', tool),
      about: tool,
    };
  }),
  requestLane('resources', 'uri', 'Reads a resource.', (part) => {
    const uri = part.at('uri').text() ?? '';
    return { act: valuesRequest('resources/read', { uri }, 'resource', uri), about: uri };
  }),
  requestLane('prompts', 'prompt', 'Gets a prompt with the arguments `args`.', (part) => {
    const name = part.at('prompt').text() ?? '';
    const args = part
      .at('args')
      .members()
      .map(([key, member]) => [key, member.text() ?? '']);
    const params = { name, ...(part.has('args') ? { arguments: Object.fromEntries(args) } : {}) };
    return { act: valuesRequest('prompts/get', params, 'prompt', name), about: name };
  }),
  {
    key: 'compliance',
    says: 'Sends the request `check` (initialize, ping, or a method such as tools/list) and judges its response. Without `check`, or with a mapping, runs `mcpc check`.',
    schema: {
      anyOf: [
        list(objectOf({ ...common, check: textOf('initialize, ping, or a method.'), ...checkMembers })),
        objectOf({ name: common['name']!, server: common['server']!, ...checkMembers }),
      ],
    },
    read(lane, context) {
      const entries = Array.isArray(lane.value) ? lane.items() : [lane];
      return entries.flatMap((part) =>
        part.has('check') ? [complianceTest(part, context)] : wholeChecks(part, context),
      );
    },
  },
  {
    key: 'security',
    says: 'With `scan: true`, checks the tool definitions of each server by the rules of the specification.',
    schema: objectOf({ scan: { type: 'boolean' } }),
    read(lane, { servers }) {
      if (lane.at('scan').value === false) return [];
      return servers.map((server) =>
        checkTest(
          lane,
          `tool definitions of ${server}`,
          { name: server, place: lane.place },
          { kind: 'check', only: definitionRules, skip: [] },
        ),
      );
    },
  },
  modelLane('agents'),
  modelLane('evals'),
];

/** A lane whose tests are one request each. */
function requestLane(
  key: string,
  subject: string,
  says: string,
  read: (part: Part) => { act: Act & { kind: 'request' }; about: string },
): Lane {
  const own: Record<string, JsonSchema> =
    key === 'tools'
      ? { tool: textOf('Name of the tool.'), args: argumentsSchema }
      : key === 'prompts'
        ? { prompt: textOf('Name of the prompt.'), args: argumentsSchema }
        : { uri: textOf('URI of the resource.') };
  return {
    key,
    says,
    schema: list(objectOf({ ...common, ...own }, [subject])),
    read: (lane, { problems }) =>
      lane.items().map((part) => {
        const { act, about } = read(part);
        return { ...testOf(part, `${act.method} ${about}`, problems), act, about, title: `${act.method} ${about}` };
      }),
  };
}

function complianceTest(part: Part, { problems }: LaneContext): LaneTest {
  const check = part.at('check').text() ?? '';
  const known = check === 'initialize' || check === 'ping' || check.includes('/');
  if (!known)
    problems.push({
      ...part.at('check').place,
      text: `check: there is no check "${check}"; use initialize, ping, or a method such as tools/list`,
      severity: 'error',
    });
  const act: Act = check === 'initialize' ? { kind: 'handshake' } : valuesRequest(check, undefined, 'json');
  return { ...testOf(part, check, problems), act, title: check };
}

/** One whole check for each server that is meant. */
function wholeChecks(part: Part, { servers, problems }: LaneContext): LaneTest[] {
  const texts = (name: string): string[] =>
    part
      .at(name)
      .items()
      .map((item) => item.text() ?? '');
  const act: CheckServer = {
    kind: 'check',
    level: part.at('level').text() as CheckServer['level'],
    minGrade: part.at('min_grade').text(),
    only: texts('only'),
    skip: texts('skip'),
  };
  if (part.has('expect'))
    problems.push({
      ...part.at('expect').place,
      text: 'expect has no meaning without check: a whole check is judged by its rules',
      severity: 'warning',
    });
  if (part.has('server'))
    return [
      checkTest(part, part.at('name').text() ?? `compliance of ${part.at('server').text()}`, serverIn(part), act),
    ];
  return servers.map((server) =>
    checkTest(
      part,
      servers.length === 1 ? (part.at('name').text() ?? `compliance of ${server}`) : `compliance of ${server}`,
      { name: server, place: part.place },
      act,
    ),
  );
}

function checkTest(part: Part, name: string, server: LaneTest['server'], act: CheckServer): LaneTest {
  return { part, name, server, title: 'check', act, demands: [], tags: [] };
}

/** A lane that needs a model: one entry that says so. */
function modelLane(key: 'agents' | 'evals'): Lane {
  return {
    key,
    says: 'Needs a model, and mcpc calls none: it is skipped, and the reason names the command for it.',
    schema: { type: ['array', 'object'] },
    read: (lane, { path }) => [
      {
        part: lane,
        name: key,
        title: key,
        act: { kind: 'impossible', words: laneModelReason(key, path) },
        demands: [],
        skip: { reason: laneModelReason(key, path) },
        tags: [],
      },
    ],
  };
}

function testOf(part: Part, usual: string, problems: Problem[]): Omit<LaneTest, 'act' | 'title' | 'about'> {
  const entries = part.at('expect').items();
  const snapshots = entries.filter(
    (entry) => entry.at('matcher').has('snapshot') && entry.at('matcher').at('snapshot').value !== false,
  );
  for (const more of snapshots.slice(1))
    problems.push({ ...more.place, text: 'only one target of a test may have a snapshot', severity: 'error' });
  const skip = part.at('skip').value;
  const ms = part.at('timeout_ms').value;
  const target = snapshots[0]?.at('target').text();
  return {
    part,
    name: part.at('name').text() ?? usual,
    server: serverIn(part),
    demands: entries.flatMap((entry) => demandsOf(entry)),
    ...(target === undefined ? {} : { snapshotTarget: target }),
    ...(skip === true ? { skip: { reason: '' } } : typeof skip === 'string' ? { skip: { reason: skip } } : {}),
    tags: part
      .at('tags')
      .items()
      .map((tag) => tag.text() ?? ''),
    timeoutMs: typeof ms === 'number' ? ms : timeoutOf(part.at('timeout'), problems),
  };
}

function serverIn(part: Part): LaneTest['server'] {
  const name = part.at('server').text();
  return name === undefined ? undefined : { name, place: part.at('server').place };
}

/** An entry of `expect` as demands: its matchers, and a snapshot. */
function demandsOf(entry: Part): Demand[] {
  const { target, matcher } = targetExpectation.option.read(entry) as {
    target: string;
    matcher: Record<string, unknown>;
  };
  const { snapshot, ...others } = matcher;
  const { place } = entry;
  return [
    ...(Object.keys(others).length === 0
      ? []
      : [{ expectation: targetExpectation, option: { target, matcher: others }, scope: 'none' as const, place }]),
    ...(snapshot === undefined || snapshot === false
      ? []
      : [{ expectation: snapshotExpectations.answer, option: true, scope: 'none' as const, place }]),
  ];
}

/**
 * The scaffold of a new rule file: complete and sound, but about a nonexistent method, so an unfinished file decides
 * nothing. Also finds its remains in a file.
 */
import type { Requirement } from '../../core/model/rules/requirement.ts';
import type { FeatureFile, RuleFile } from '../../core/model/rules/rule.ts';
import { bindsParty } from '../../core/spec/requirements/catalogue.ts';

/** Subject of a new rule: one exchange, all messages with a common key, or a message and the expected next one. */
export type RuleForm = 'exchange' | 'group' | 'pair';

const notPlayed = 'The stimulus does not send this method yet.';
const message = 'Say what was seen: {{seen}}.';
const fix = 'Say how an author fixes it.';
const fault = '$.result.replaceMe';

const method = 'replace/me';
const exampleLine = (value: number): string => `< {"method":"${method}","params":{"key":"a","value":${value}}}`;

/** Given, expect and examples of each form: sound, and about a nonexistent method. */
const forms: Record<
  RuleForm,
  Pick<RuleFile, 'given' | 'expect'> & { examples: { verdict: string; note?: string; trace: string[] }[] }
> = {
  exchange: {
    given: { exchange: { from: 'client', method, outcome: ['result'] } },
    expect: { fact: 'subject.result', path: '$.member', operator: 'exists', value: true },
    examples: [
      { verdict: 'pass', trace: [`> {"id":1,"method":"${method}"}`, '< {"id":1,"result":{"member":1}}'] },
      { verdict: 'fail', trace: [`> {"id":1,"method":"${method}"}`, '< {"id":1,"result":{}}'] },
      {
        verdict: 'not-exercised',
        note: 'nothing of the kind was asked',
        trace: ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'],
      },
    ],
  },
  group: {
    given: {
      group: {
        of: { message: { from: 'server', method } },
        by: '$.params.key',
        within: 'session',
        values: { value: '$.params.value' },
      },
    },
    expect: { fact: 'subject.values.value', operator: 'isMonotonic', value: 'increasing' },
    examples: [
      { verdict: 'pass', trace: [exampleLine(1), exampleLine(2)] },
      { verdict: 'fail', trace: [exampleLine(2), exampleLine(1)] },
      {
        verdict: 'not-exercised',
        note: 'no such message came',
        trace: ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'],
      },
    ],
  },
  pair: {
    given: {
      pair: {
        first: { message: { from: 'client', method } },
        then: { message: { from: 'server', method } },
        match: [['$.params.key', '$.params.key']],
      },
    },
    expect: { fact: 'subject.then', operator: 'exists', value: true },
    examples: [
      { verdict: 'pass', trace: [exampleLine(1).replace('<', '>'), exampleLine(1)] },
      { verdict: 'fail', trace: [exampleLine(1).replace('<', '>')] },
      {
        verdict: 'not-exercised',
        note: 'nothing asked for it',
        trace: ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'],
      },
    ],
  },
};

/** For an editor, and for a rule of ours: the schema that the file names, and whether it has a fault of the reference server. */
export interface ScaffoldOptions {
  schema: string;
  form?: RuleForm | undefined;
  mutated: boolean;
}

/** Remains of the scaffold of `rules new` in a file: places, each with the text to write there. */
export function leftOfScaffold(rule: RuleFile | FeatureFile): { path: string; message: string }[] {
  const left: { path: string; message: string }[] = [];
  const given = JSON.stringify(rule.given);
  if (given.includes(JSON.stringify(method)))
    left.push({
      path: 'given',
      message: `still names the method ${method}, which does not exist; name the method that the rule judges`,
    });
  if ('message' in rule && rule.message === message)
    left.push({ path: 'message', message: 'still has the text of a new file; say what was seen' });
  if ('fix' in rule && rule.fix === fix)
    left.push({ path: 'fix', message: 'still has the text of a new file; say how an author fixes it' });
  for (const [index, example] of rule.examples.entries())
    if (example.notLive === notPlayed)
      left.push({
        path: `examples[${index}].notLive`,
        message: 'still has the text of a new file; take it out once the stimulus sends what the example shows',
      });
  if (JSON.stringify(rule.mutation ?? '').includes(fault))
    left.push({ path: 'mutation', message: `still changes ${fault}, which nothing has; break what the rule demands` });
  return left;
}

/** Text of a file that passes every check and judges nothing until it is filled in. */
export function scaffold(requirement: Requirement, { schema, form = 'exchange', mutated }: ScaffoldOptions): string {
  const levels = Object.values(requirement.levels);
  if (levels.length > 0 && form === 'exchange' && levels.every((level) => level === 'MAY'))
    return featureScaffold(requirement, schema);
  if (form === 'exchange' && !bindsParty(requirement, 'server')) return clientScaffold(requirement, schema);
  const { given, expect, examples } = forms[form];
  const rule: RuleFile = {
    ...headOf(requirement, schema),
    role: 'server',
    stimulus: ['handshake', 'use:tour'],
    given,
    expect,
    message,
    fix,
    examples: examples.map((example) => ({ ...example, notLive: notPlayed })) as RuleFile['examples'],
    ...(mutated
      ? { mutation: { says: 'Say what the reference server does wrong.', on: { result: '*' }, remove: fault } }
      : {}),
  };
  return `${JSON.stringify(rule, null, 2)}\n`;
}

/** The same for what binds clients alone: a message of theirs. Nothing is sent for it, since a check is no client's. */
function clientScaffold(requirement: Requirement, schema: string): string {
  const rule: RuleFile = {
    ...headOf(requirement, schema),
    role: 'client',
    given: { message: { from: 'client', method } },
    expect: { fact: 'subject.params', path: '$.member', operator: 'exists', value: true },
    message,
    fix,
    examples: [
      { verdict: 'pass', trace: [`> {"id":1,"method":"${method}","params":{"member":1}}`] },
      { verdict: 'fail', trace: [`> {"id":1,"method":"${method}","params":{}}`] },
      { verdict: 'not-exercised', note: 'nothing of the kind was sent', trace: ['> {"id":1,"method":"ping"}'] },
    ],
  };
  return `${JSON.stringify(rule, null, 2)}\n`;
}

/** The same for a permission: a rule of level MAY, which reports the use of a feature. */
function featureScaffold(requirement: Requirement, schema: string): string {
  const trace = (result: string): string[] => [`> {"id":1,"method":"${method}"}`, `< {"id":1,"result":${result}}`];
  const rule: FeatureFile = {
    ...headOf(requirement, schema),
    role: 'server',
    stimulus: ['handshake', 'use:tour'],
    given: forms.exchange.given,
    uses: forms.exchange.expect,
    examples: [
      { verdict: 'used', trace: trace('{"member":1}'), notLive: notPlayed },
      { verdict: 'not-seen', trace: trace('{}'), notLive: notPlayed },
    ],
  };
  return `${JSON.stringify(rule, null, 2)}\n`;
}

/** The beginning of every rule file. */
function headOf({ statement, id }: Requirement, schema: string): Pick<RuleFile, '$schema' | 'title' | 'requirement'> {
  return { $schema: schema, title: titleOf(statement), requirement: [id] };
}

function titleOf(statement: string): string {
  const title = statement.replace(/\.$/, '');
  if (title.length > 120) return `${title.slice(0, 119).replace(/\s+\S*$/, '')}…`;
  return title.length < 10 ? `${title} holds`.padEnd(10, '.') : title;
}

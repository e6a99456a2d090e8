/** Checks the mutations of a rule file, and fills in what its rule says of them. */
import { describeFault } from '../faults/describe.ts';
import { faultOperators, operatorsOf } from '../faults/operators.ts';
import { compilePath } from '../facts/values/json-path.ts';
import type { CompiledMutation, Fault, MethodNames, MutationEntry } from '../model/rules/mutation.ts';
import type { CompiledRule, FeatureFile, RuleFile } from '../model/rules/rule.ts';
import { suggestion } from '../model/suggestion.ts';
import { revisions } from '../spec/revisions.ts';
import { asText } from '../model/json.ts';

type Report = (path: string, message: string) => void;

const kinds = ['reply', 'result', 'error', 'request', 'notification', 'http'] as const;
const answers = ['reply', 'result', 'error'] as const;

/** Faults in the mutations of a valid file, all at once. */
export function checkMutations(rule: RuleFile, methods: () => readonly string[], report: Report): void {
  const entries = [rule.mutation ?? []].flat();
  const names = new Set<string | undefined>();
  for (const [index, entry] of entries.entries()) {
    const place = Array.isArray(rule.mutation) ? `mutation[${index}]` : 'mutation';
    if (names.has(entry.name))
      report(
        `${place}.name`,
        entry.name === undefined
          ? 'several mutations of a rule need a name each, all but one'
          : `another mutation of the rule has the name ${entry.name}`,
      );
    names.add(entry.name);
    checkMutation(entry, place, methods, report);
    if (rule.role === 'client') checkClientMutation(entry, place, report);
  }
}

/** Of clients it is a fault of the reference client: of its messages, and of the headers of its HTTP requests. */
function checkClientMutation(entry: MutationEntry, place: string, report: Report): void {
  for (const name of ['status', 'hears', 'spelling', 'copy'] as const)
    if (entry[name] !== undefined) report(`${place}.${name}`, 'is nothing that a client sends');
}

function checkMutation(entry: MutationEntry, place: string, methods: () => readonly string[], report: Report): void {
  const chosen = kinds.filter((kind) => entry.on[kind] !== undefined);
  if (chosen.length !== 1)
    report(
      `${place}.on`,
      `names ${chosen.length === 0 ? 'nothing' : chosen.join(' and ')}; it has to name one of ${kinds.join(', ')}`,
    );
  for (const kind of [...answers, 'request', 'notification'] as const)
    checkMethods(entry.on[kind], `${place}.on.${kind}`, methods, report);
  checkMethods(entry.on.http?.rpc, `${place}.on.http.rpc`, methods, report);
  const operators = operatorsOf(entry);
  const operatorNames = faultOperators.map(({ name }) => name);
  if (operators.length === 0)
    report(place, `says nothing that is wrong; the operators are ${operatorNames.join(', ')}`);
  for (const { name, options = {} } of faultOperators) {
    for (const option of Object.keys(options))
      if (option in entry && entry[name] === undefined)
        report(`${place}.${option}`, `belongs to "${name}", which is missing`);
  }
  if (entry.set !== undefined && ['to', 'plus', 'as'].filter((option) => option in entry).length !== 1)
    report(`${place}.set`, 'needs either "to", "plus" or "as"');
  const overMessage = operators.filter(({ over }) => over === 'message').map(({ name }) => name);
  const overHttp = operators.filter(({ over }) => over === 'http').map(({ name }) => name);
  const hearing = operators.filter(({ over }) => over === 'request').map(({ name }) => name);
  if (
    hearing.length > 0 &&
    (entry.on.http === undefined || (entry.on.http.posted ?? entry.on.http.rpc ?? entry.on.http.status) !== undefined)
  )
    report(
      `${place}.${hearing[0]}`,
      'changes what the server takes in of an HTTP request, of which only "on.http.method" and "on.http.session" are known by then',
    );
  if (entry.on.http && overMessage.length > 0)
    report(
      `${place}.${overMessage[0]}`,
      `changes a message, but "on" names an HTTP reply; there are ${faultOperators
        .filter(({ over }) => over === 'http')
        .map(({ name }) => name)
        .join(' and ')}`,
    );
  if (!entry.on.http && overHttp.length > 0 && !answers.some((kind) => entry.on[kind] !== undefined))
    report(`${place}.${overHttp[0]}`, 'changes the HTTP reply that carries an answer; "on" names no answer');
  if (entry.on.http && (entry.on.where ?? entry.on.nth) !== undefined)
    report(`${place}.on`, '"where" and "nth" are about messages, and "on" names an HTTP reply');
  for (const [at, path] of [
    ['set', entry.set],
    ['remove', entry.remove],
    ...Object.keys(entry.on.where ?? {}).map((path) => ['on.where', path] as const),
  ] as const) {
    if (path !== undefined) checkPath(path, `${place}.${at}`, report);
  }
  for (const [index, revision] of (entry.revisions ?? []).entries()) {
    if (!(revisions as readonly string[]).includes(revision))
      report(
        `${place}.revisions[${index}]`,
        `there is no revision ${revision}.${suggestion(revision, revisions)} Known: ${revisions.join(', ')}`,
      );
  }
}

/** Methods that no revision has name no message of the reference server. */
function checkMethods(
  given: MethodNames | undefined,
  place: string,
  methods: () => readonly string[],
  report: Report,
): void {
  const unknown = [given ?? []].flat().filter((method) => method !== '*' && !methods().includes(method));
  for (const method of unknown) report(place, `there is no method ${method}.${suggestion(method, methods())}`);
}

function checkPath(path: string, place: string, report: Report): void {
  try {
    compilePath(path);
  } catch (error) {
    report(place, `the path ${path} cannot be read: ${error instanceof Error ? error.message : asText(error)}`);
  }
}

/** The mutations of a file that was checked. @param rule what was compiled of it */
export function compileMutations({ mutation }: RuleFile | FeatureFile, rule: CompiledRule): CompiledMutation[] {
  return [mutation ?? []].flat().map((entry) => {
    const { name, says, transports, revisions: narrowed, alsoBreaks, advisory, ...fault } = entry;
    return {
      id: name === undefined ? rule.id : `${rule.id}@${name}`,
      rule: rule.id,
      transports: transports ?? (isOfHttp(fault) ? rule.transports.filter((one) => one === 'http') : rule.transports),
      revisions: revisions.filter(
        (revision) => rule.at[revision] !== undefined && narrowed?.includes(revision) !== false,
      ),
      description: says ?? describeFault(fault),
      ...(alsoBreaks ? { alsoBreaks } : {}),
      ...(advisory ? { advisory } : {}),
      fault,
    };
  });
}

/** True if it shows only over Streamable HTTP, where a reply has its own status and headers. */
function isOfHttp(fault: Fault): boolean {
  return operatorsOf(fault).some(({ over }) => over !== 'message');
}

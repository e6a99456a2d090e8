/** A document with `version: 1`: servers, defaults and cases with steps. */
import type { ServerBlock, Step, SuiteCase } from '../model.ts';
import { substituteText } from '../judge/substitute.ts';
import type { FileNames } from './assert-form.ts';
import { emptyServer, readServer } from './assert-form.ts';
import { timeoutOf } from '../duration-part.ts';
import type { Part } from '../part.ts';
import { stepsOf } from './steps-part.ts';
import type { Problem } from '../yaml-source.ts';

export interface NativeShared {
  servers: Map<string, Part>;
  defaults: Part | undefined;
}

/** The servers and defaults of a document, which others may import. */
export function sharedOf(file: Part): NativeShared {
  return {
    servers: new Map(file.at('servers').members()),
    defaults: file.has('defaults') ? file.at('defaults') : undefined,
  };
}

/**
 * The cases of a document, one for each entry of `each`.
 * @param imported additions of its imports
 * @param first number of the first case within the file, from 1
 */
export function readNativeCases(
  file: Part,
  names: FileNames,
  first: number,
  imported: readonly NativeShared[],
  problems: Problem[],
): SuiteCase[] {
  const own = sharedOf(file);
  const servers = new Map([...imported.flatMap((one) => [...one.servers]), ...own.servers]);
  const defaults = [own.defaults, ...imported.map((one) => one.defaults).toReversed()].filter(
    (one): one is Part => one !== undefined,
  );
  const given = (one: Part, name: string): Part | undefined =>
    [one, ...defaults].find((part) => part.has(name))?.at(name);
  const cases: SuiteCase[] = [];
  for (const one of file.at('cases').items()) {
    const each = one.has('each')
      ? one
          .at('each')
          .items()
          .map((entry) => entry.value as Record<string, unknown>)
      : [undefined];
    const server = serverOf(given(one, 'server'), servers, one, problems);
    if (one.at('steps').items().length === 0 && !one.has('skip'))
      problems.push({
        ...one.place,
        text: 'the case has no steps; it passes whatever the server does',
        severity: 'warning',
      });
    const steps = [
      ...stepsOf(file.at('before'), 'setup', problems),
      ...stepsOf(one.at('steps'), 'main', problems),
      ...stepsOf(one.at('teardown'), 'teardown', problems),
      ...stepsOf(file.at('after'), 'teardown', problems),
    ];
    each.forEach((values, index) =>
      cases.push(
        caseOf({
          one,
          file,
          names,
          number: first + cases.length,
          given,
          server,
          steps,
          values,
          suffix: each.length > 1 ? ` (${index + 1})` : '',
          problems,
        }),
      ),
    );
  }
  return cases;
}

interface CaseParts {
  one: Part;
  file: Part;
  names: FileNames;
  number: number;
  given(one: Part, name: string): Part | undefined;
  server: { block: ServerBlock; session?: SuiteCase['session'] } | undefined;
  steps: Step[];
  values: Record<string, unknown> | undefined;
  suffix: string;
  problems: Problem[];
}

function caseOf({ one, file, names, number, given, server, steps, values, suffix, problems }: CaseParts): SuiteCase {
  const text = (name: string): string | undefined => given(one, name)?.text();
  const [timeoutPart, skip] = [given(one, 'timeout'), one.at('skip')];
  const timeoutMs = timeoutPart === undefined ? undefined : timeoutOf(timeoutPart, problems);
  const tags = (given(one, 'tags')?.items() ?? []).map((tag) => tag.text() ?? '');
  const written = one.at('name').text() ?? `case ${number}`;
  const name = substituteText(written, 'values', { fixture: undefined, values: new Map(Object.entries(values ?? {})) });
  const session = (text('session') as SuiteCase['session']) ?? server?.session;
  const variable = one.at('skip_unless_env').text();
  const conformance = (text('conformance') ?? file.at('conformance').text()) as SuiteCase['conformance'];
  const spec = text('spec');
  const main = steps.filter(({ phase }) => phase === 'main');
  return {
    id: `${names.path}#${number}`,
    name: name === written ? `${name}${suffix}` : name,
    file: names.path,
    place: one.place,
    form: 'native',
    block: 'cases',
    ...(main[0] === undefined ? {} : { about: main[0].title.replace(/^\S+ /, '') }),
    tags,
    // A case without a server gets it from the command line.
    server: server?.block ?? (steps.some(needsServer) ? emptyServer() : undefined),
    steps,
    values,
    timeoutMs,
    ...(skip.value === true
      ? { skip: { reason: '' } }
      : typeof skip.value === 'string'
        ? { skip: { reason: skip.value } }
        : {}),
    skipUnlessEnv: variable,
    spec,
    conformance,
    ...(one.has('volatile')
      ? {
          volatile: one
            .at('volatile')
            .items()
            .map((path) => path.text() ?? ''),
        }
      : {}),
    ...(one.at('alone').value === true ? { alone: true } : {}),
    session,
  };
}

/** True if a step sends a request to a server. */
function needsServer({ act, unchanged = [] }: Step): boolean {
  return (act.kind === 'parallel' ? act.steps.some(needsServer) : act.kind !== 'run') || unchanged.some(needsServer);
}

/** A name, or a server as it is. */
function serverOf(
  part: Part | undefined,
  servers: ReadonlyMap<string, Part>,
  one: Part,
  problems: Problem[],
): CaseParts['server'] {
  let found = part;
  if (part?.text() !== undefined) {
    found = servers.get(part.text()!);
    if (found === undefined)
      problems.push({
        ...part.place,
        text: `there is no server "${part.text()}"; known are ${[...servers.keys()].join(', ') || 'none'}`,
        severity: 'error',
      });
  } else if (part === undefined) {
    if (servers.size === 1) [found] = servers.values();
    else if (servers.size > 1)
      problems.push({
        ...one.place,
        text: 'the case does not say which server it is for; name it with server, or in defaults',
        severity: 'error',
      });
  }
  const block = found === undefined ? undefined : readServer(found, 'http');
  if (block === undefined) return undefined;
  const session = found!.at('session').text() as SuiteCase['session'];
  return { block, session };
}

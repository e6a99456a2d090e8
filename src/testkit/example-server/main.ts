/**
 * The command line of the reference server, which is also the example server of the demo:
 *
 *   example-server stdio | http | sse  [--port N] [--host NAME] [--revisions A,B]
 *                                      [--mutation ID] [--variant ID] [--fault JSON] [--fixtures] [--guard KIND]
 *   example-server --list-mutations | --list-variants
 */
import { parseArgs } from 'node:util';
import type { Fault } from '../../core/model/rules/mutation.ts';
import { guardKinds, type GuardKind } from '../../server/session/guard.ts';
import type { Revision } from '../../server/protocol/revisions.ts';
import { allRevisions, isRevision } from '../../server/protocol/revisions.ts';
import { isObject } from '../../server/protocol/json-rpc.ts';
import { mutations } from './mutations/catalogue.ts';
import { changeOf } from './mutations/from-rules.ts';
import { variants } from './variants/variants.ts';
import type { ReferenceOptions } from './start.ts';
import { makeHost, startReferenceServer } from './start.ts';
import { serveStdio } from '../../server/transports/stdio.ts';

const usage =
  'usage: example-server stdio|http|sse [--port N] [--host NAME] [--revisions A,B] [--mutation ID] [--variant ID] [--fault JSON] [--fixtures] [--guard KIND] | --list-mutations | --list-variants';

function readRevisions(text: string | undefined): Revision[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((name) => {
    if (!isRevision(name)) throw new Error(`Unknown revision ${name}; known are ${allRevisions.join(', ')}.`);
    return name;
  });
}

function readGuard(text: string | undefined): GuardKind | undefined {
  const known = guardKinds.find((kind) => kind === text);
  if (text !== undefined && known === undefined) throw new Error(`--guard takes one of ${guardKinds.join(', ')}.`);
  return known;
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? '0');
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error('--port takes a number from 0 to 65535.');
  return port;
}

/** A fault as rule files write it: its place and its operators. */
function readFault(text: string | undefined): Pick<ReferenceOptions, 'change'> {
  if (text === undefined) return {};
  const fault: unknown = JSON.parse(text);
  if (!isObject(fault) || !isObject(fault.on))
    throw new Error('--fault takes a JSON object with "on" and an operator.');
  return { change: changeOf(fault as unknown as Fault) };
}

async function runStdio(options: ReferenceOptions): Promise<void> {
  const host = makeHost(options);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
  await serveStdio(host, { input: process.stdin, output: process.stdout, error: process.stderr });
  if (host.keeps('exit-with-stdin')) process.exit(0);
  setInterval(() => {}, 60_000);
}

async function runHttp(
  options: ReferenceOptions & { transport: 'http' | 'sse'; port: number; host?: string },
): Promise<void> {
  const running = await startReferenceServer(options);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void running.close().then(() => process.exit(0)));
  }
  process.stderr.write(`listening on ${running.url}\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      revisions: { type: 'string' },
      mutation: { type: 'string' },
      variant: { type: 'string' },
      fault: { type: 'string' },
      fixtures: { type: 'boolean' },
      guard: { type: 'string' },
      'list-mutations': { type: 'boolean' },
      'list-variants': { type: 'boolean' },
    },
  });
  if (values['list-mutations'] === true) return list(mutations);
  if (values['list-variants'] === true) return list(variants);
  const transport = positionals[0];
  const options = {
    mutation: values.mutation,
    variant: values.variant,
    revisions: readRevisions(values.revisions),
    fixtures: values.fixtures === true,
    guard: readGuard(values.guard),
    ...readFault(values.fault),
  };
  if (transport === 'stdio') return runStdio(options);
  if (transport !== 'http' && transport !== 'sse') throw new Error(usage);
  return runHttp({ ...options, transport, port: readPort(values.port), host: values.host });
}

function list(entries: readonly { id: string; transports: readonly string[]; description: string }[]): void {
  for (const { id, transports, description } of entries)
    process.stdout.write(`${id}  [${transports.join(' ')}]  ${description}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
});

/** One recording: a client talks to the live server, then to `mcpc replay` of that, both through `mcpc intercept`. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunReport } from '../../../src/core/model/reports/run-report.ts';
import type { FidelityClient, Plan, Reach, ReachOf, Talked } from './clients.ts';
import { output, start, type Program, type Started } from './processes.ts';
import { differencesOf, lanesIn } from './traces.ts';

const bin = fileURLToPath(new URL('../../../bin/mcpc.js', import.meta.url));

export interface Subject extends Plan {
  name: string;
  transport: 'stdio' | 'http';
  /** The program in an empty folder of its own; over HTTP with its address. */
  launch(folder: string): Promise<Program & { url?: string }>;
}

export interface Fidelity {
  subject: string;
  transport: string;
  client: string;
  /** Why there is nothing to compare: the client and the server do not come together live. */
  apart?: string;
  messages: number;
  /** Differences in the results for the client and in the messages on the wire. */
  differences: string[];
  /** Rules that decided something live. */
  decided: number;
  /** Rules whose verdicts differ. */
  verdicts: string[];
  liveMs: number;
  replayMs: number;
}

const mcpc = (...args: string[]): Program => ({ command: process.execPath, args: [bin, ...args] });

export async function measure(subject: Subject, client: FidelityClient, work: string): Promise<Fidelity> {
  const folder = mkdtempSync(join(work, 'fidelity-'));
  const common = { subject: subject.name, transport: subject.transport, client: client.name };
  const own = mkdtempSync(join(folder, 'server-'));
  const none = { messages: 0, differences: [], decided: 0, verdicts: [], liveMs: 0, replayMs: 0 };
  const running: Started[] = [];
  const end = async (): Promise<void> => {
    // The proxy first, so that it has seen all that was said.
    for (const one of running.splice(0).reverse()) await one.end();
  };
  try {
    const program = await subject.launch(own);
    const talked = async (reachOf: ReachOf): Promise<Talked> => {
      try {
        return await client.converse(reachOf, subject, folder);
      } finally {
        await end();
      }
    };
    let live: Talked;
    try {
      live = await talked(
        subject.transport === 'stdio'
          ? (number) => ({ program: watched(join(folder, `live-${number}.jsonl`), program) })
          : await proxied(running, join(folder, 'live-0.jsonl'), await served(running, program)),
      );
    } catch (error) {
      return { ...common, ...none, apart: String(error) };
    }
    const replay = await talked(
      subject.transport === 'stdio'
        ? (number) => ({
            program: watched(
              join(folder, `again-${number}.jsonl`),
              mcpc('replay', join(folder, `live-${number}.jsonl`)),
            ),
          })
        : await proxied(running, join(folder, 'again-0.jsonl'), await replayed(running, join(folder, 'live-0.jsonl'))),
    );
    const numbers = subject.transport === 'stdio' && client.name === 'Inspector' ? [0, 1, 2] : [0];
    const row: Fidelity = { ...common, ...none, liveMs: live.ms, replayMs: replay.ms };
    for (const [at, seen] of live.seen.entries())
      if (JSON.stringify(seen) !== JSON.stringify(replay.seen[at]))
        row.differences.push(`seen ${at}: ${JSON.stringify(seen)}\n  replayed ${JSON.stringify(replay.seen[at])}`);
    for (const number of numbers) {
      const [one, other] = ['live', 'again'].map((name) => join(folder, `${name}-${number}.jsonl`)) as [string, string];
      if (!existsSync(one) || !existsSync(other)) {
        row.differences.push(
          `connection ${number + 1} left no trace: the client did not wait for the end of the recorder`,
        );
        continue;
      }
      const lanes = [lanesIn(one), lanesIn(other)] as const;
      row.messages += [...lanes[0].values()].flat().length;
      row.differences.push(...differencesOf(...lanes));
      const verdicts = [await judged(one), await judged(other)] as const;
      for (const [rule, status] of verdicts[0]) {
        if (status !== 'not-exercised') row.decided += 1;
        if (verdicts[1].get(rule) !== status) row.verdicts.push(`${rule}: ${status}, ${verdicts[1].get(rule)}`);
      }
    }
    return row;
  } finally {
    await end();
  }
}

/** A program on stdio behind the recorder. */
function watched(trace: string, { command, args, env, cwd }: Program): Program {
  return {
    ...mcpc('intercept', '--trace', trace, '--', command, ...args),
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

/** Starts a server, and gives its address once it answers. */
async function served(running: Started[], program: Program & { url?: string }): Promise<string> {
  running.push(start(program));
  const url = program.url!;
  for (let tries = 0; tries < 240; tries += 1) {
    const answers = await fetch(url, { signal: AbortSignal.timeout(1000) }).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      (error: Error) => error.name === 'TimeoutError',
    );
    if (answers) return url;
    await new Promise((resolve) => setTimeout(resolve, 125));
  }
  throw new Error(`${url} does not answer.`);
}

async function replayed(running: Started[], recording: string): Promise<string> {
  const replay = start(mcpc('replay', recording, '--listen', '127.0.0.1:0'));
  running.push(replay);
  return (await replay.shows(/Serving \S+ at (\S+);/))[1]!;
}

/** The recorder before an address. */
async function proxied(running: Started[], trace: string, upstream: string): Promise<() => Reach> {
  const proxy = start(mcpc('intercept', '--listen', '127.0.0.1:0', '--upstream', upstream, '--trace', trace));
  running.push(proxy);
  const [, listening] = await proxy.shows(/Listening on ([^\s,]+),/);
  const url = new URL(new URL(upstream).pathname, listening).href;
  return () => ({ url });
}

/** The status of each rule for each party and revision. */
async function judged(trace: string): Promise<Map<string, string>> {
  const { stdout, stderr } = await output(mcpc('judge', trace, '--role', 'both', '--format', 'json'));
  if (stdout === '') throw new Error(`${trace} was not judged: ${stderr}`);
  const { parts } = JSON.parse(stdout) as RunReport;
  return new Map(
    parts.flatMap(({ revision, verdicts }) =>
      verdicts.map(({ rule, role, status }) => [`${revision} ${role} ${rule}`, status] as const),
    ),
  );
}

/** Keeps what differs, to be read. */
export function writeDifferences(path: string, rows: readonly Fidelity[]): void {
  const lines = rows.flatMap(({ subject, client, differences, verdicts, apart }) => [
    `## ${subject}, ${client}${apart === undefined ? '' : ` (${apart})`}`,
    ...differences,
    ...verdicts,
  ]);
  writeFileSync(path, `${lines.join('\n')}\n`);
}

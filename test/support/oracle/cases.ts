/** Cases of the oracle: the traces to judge and the checks to run, each with a name that stays the same. */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ReportVerdict, RunReport } from '../../../src/core/model/reports/run-report.ts';
import { McpcError } from '../../../src/core/model/errors.ts';
import type { Trace, TraceEvent, TraceHeader } from '../../../src/core/model/trace.ts';
import { exampleTrace } from '../../../src/core/rules/examples/example-trace.ts';
import { revisions } from '../../../src/core/spec/revisions.ts';
import { writeConversation } from '../../bench/long-conversation.ts';
import { settings, variantCases } from '../accuracy.ts';
import { capturesOf } from '../captures.ts';
import { writeLarge } from '../large-traces.ts';
import { checkPublished, publishedServers } from '../published-servers.ts';
import { patient, type ReferenceLab } from '../reference-server.ts';
import { loadProject, settingsOf } from '../rules.ts';

/** Every how many-th case of a kind takes part; which ones depends on their names alone. */
export type Sample = number;

export function isDrawn(name: string, sample: Sample): boolean {
  return createHash('sha256').update(name).digest().readUInt32BE(0) % sample === 0;
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function traceText({ header, events, footer }: Trace): string {
  return [header, ...events, footer].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Writes the trace of each example on each of its transports, and two long conversations. */
export async function writeExampleTraces(folder: string, sample: Sample): Promise<void> {
  const project = await loadProject();
  for (const { id, rule } of project.sources)
    for (const [index, example] of rule.examples.entries())
      for (const setting of settingsOf(project.rule(id), example)) {
        const name = `examples/${id}/${index}-${setting.transport}-${setting.revision}`;
        if (isDrawn(name, sample)) write(path.join(folder, `${name}.jsonl`), traceText(exampleTrace(example, setting)));
      }
  mkdirSync(path.join(folder, 'large'), { recursive: true });
  const fd = openSync(path.join(folder, 'large/conversation.jsonl'), 'w');
  writeConversation((text) => void writeSync(fd, text), 20_000);
  closeSync(fd);
  for (const kind of ['sessions', 'open-requests', 'keys'] as const)
    writeLarge(kind, 2000, path.join(folder, `large/${kind}.jsonl`));
}

/**
 * Writes captures in each format of other tools, of the traces already in the folder: all of those that checks left,
 * and one in twenty of the examples.
 */
export function writeCaptures(folder: string): void {
  for (const name of tracesIn(folder)) {
    if (name.startsWith('large/') || (name.startsWith('examples/') && !isDrawn(`capture ${name}`, 20))) continue;
    const [header, ...rest] = readFileSync(path.join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TraceHeader | TraceEvent);
    const events = rest.filter((one): one is TraceEvent => 'seq' in one);
    for (const { format, text } of capturesOf(events, (header as TraceHeader).transport))
      write(path.join(folder, 'captures', `${name.replace(/\.jsonl$/, '')}.${format}.capture`), text);
  }
}

/** Traces and captures in the folder, by their paths in it, in order. */
export function tracesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(jsonl|capture)$/.test(name))
    .sort();
}

export interface CheckCase {
  name: string;
  /** @returns the report, with the path of its trace; text where there is no report */
  run(): Promise<{ report: RunReport; trace: string } | string>;
}

/** The checks that are compared: reference server, its legal variants, and published servers. */
export function checkCases(lab: ReferenceLab, work: string, sample: Sample): CheckCase[] {
  let count = 0;
  const reference = settings.flatMap(({ transport, revision }) =>
    [false, true].map(
      (fixtures): CheckCase => ({
        name: `reference${fixtures ? '-fixtures' : ''}/${transport}-${revision}`,
        run: () => lab.check({ transport, revision, fixtures, watchesWork: true, timing: patient }),
      }),
    ),
  );
  const variants = variantCases(true).map(
    ({ variant, transport, revision }): CheckCase => ({
      name: `variants/${variant.id}/${transport}-${revision}`,
      run: () =>
        lab.check({
          transport,
          revision,
          variant: variant.id,
          watchesWork: variant.watchesWork,
          guard: variant.guard,
          timing: patient,
        }),
    }),
  );
  const published = publishedServers.flatMap((server) =>
    [...revisions].map(
      (revision): CheckCase => ({
        name: `published/${server.name}/${revision}`,
        async run() {
          count += 1;
          const key = `${server.name}-${revision}-${count}`;
          try {
            const { report } = await checkPublished(server, key, work, { spec: revision });
            return { report, trace: path.join(work, `${key}.jsonl`) };
          } catch (error) {
            if (error instanceof McpcError) return `no report: ${error.stage}`;
            throw error;
          }
        },
      }),
    ),
  );
  return [...reference, ...variants, ...published].filter(({ name }) => isDrawn(name, sample));
}

/** What a check found: the status of each rule, and of each optional feature. */
export function statusesOf(report: RunReport): Record<string, string> {
  const [part] = report.parts;
  const all: Pick<ReportVerdict, 'rule' | 'status'>[] = [...part!.verdicts];
  return Object.fromEntries([
    ...all.map(({ rule, status }) => [rule, status] as const),
    ...(part!.features ?? []).map(({ rule, status }) => [rule, status] as const),
  ]);
}

/** Prints behind the summary of a run the ten slowest test files and the CPU time of each gate. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** The gates of CONTRIBUTING.md by their files; other files are summed up by folder. */
const gates: readonly [name: string, files: RegExp][] = [
  ['gate 1, examples', /^test\/rules\/examples\./],
  ['gate 2, puppets', /^test\/rules\/(puppet|turns)\./],
  ['gate 3, conditions', /^test\/rules\/conditions\./],
  ['gate 4, evidence', /^test\/rules\/evidence\./],
  ['gate 5, reference server', /^test\/rules\/(reference|guarded)\./],
  ['gate 5, mutations', /^test\/rules\/mutation/],
  ['gate 5, variants', /^test\/rules\/variants\./],
  ['gate 6, coverage', /^test\/rules\/coverage\./],
];
const slowest = 10;

export interface FileTime {
  /** Path from the root of the project. */
  file: string;
  /** Seconds from the first import to the end of the last test. */
  seconds: number;
  cpuSeconds: number;
}

/** CPU seconds by gate, or by folder for files of no gate; most first. */
export function cpuByGate(files: readonly FileTime[]): [name: string, cpuSeconds: number][] {
  const sums = new Map<string, number>();
  for (const { file, cpuSeconds } of files) {
    const name = gates.find(([, of]) => of.test(file))?.[0] ?? file.split('/').slice(0, 2).join('/');
    sums.set(name, (sums.get(name) ?? 0) + cpuSeconds);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** The text behind the summary. */
export function timesText(files: readonly FileTime[]): string {
  const number = (value: number): string => value.toFixed(1).padStart(7);
  const slow = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, slowest);
  const sum = files.reduce((all, { cpuSeconds }) => all + cpuSeconds, 0);
  return [
    '',
    'Slowest files        seconds    CPU',
    ...slow.map(({ file, seconds, cpuSeconds }) => `             ${number(seconds)}  ${number(cpuSeconds)}  ${file}`),
    '',
    'CPU seconds by gate',
    ...cpuByGate(files).map(([name, seconds]) => `             ${number(seconds)}  ${name}`),
    `             ${number(sum)}  all`,
    '',
  ].join('\n');
}

/** Seconds and CPU seconds of files by their path from the root of the project. */
export type KeptTimes = Readonly<Record<string, readonly [seconds: number, cpuSeconds: number]>>;

/** The times of the files as JSON, one a line, by name: what the order of files goes by (see longest-first.ts). */
export function secondsText(files: readonly FileTime[]): string {
  const rows = [...files]
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .map(
      ({ file, seconds, cpuSeconds }) =>
        `  ${JSON.stringify(file)}: [${Math.round(seconds)}, ${Math.round(cpuSeconds)}]`,
    );
  return `{\n${rows.join(',\n')}\n}\n`;
}

export class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module): FileTime => {
      const { collectDuration, duration } = module.diagnostic();
      return {
        file: module.relativeModuleId,
        seconds: (collectDuration + duration) / 1000,
        cpuSeconds: module.meta().cpuSeconds ?? 0,
      };
    });
    process.stdout.write(timesText(files));
    const keep = process.env['MCPC_TEST_TIMES'];
    if (keep !== undefined && keep !== '') writeFileSync(keep, secondsText(files));
  }
}

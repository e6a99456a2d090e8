/** Where the time of a check went, for a terminal. */
import pc from 'picocolors';
import { withoutCommands } from '../../core/model/ci-logs.ts';
import type { ConnectionTime, StepTime, Timings } from '../../core/model/timings.ts';
import { plainTable } from '../plain-table.ts';
import { oneLine, plural } from '../text.ts';

/** Number of connections shown; JSON has the others. */
const mostConnections = 30;

/** The text, without a line feed at its end. @param color by default as the environment asks */
export function renderTimings(
  { wallMs, cpuMs, cores, starts, stages, judgedMs, connections, moreConnections = 0, steps, idle }: Timings,
  { color }: { color?: boolean } = {},
): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  const stage = plainTable(['stage', 'wall', 'CPU'].map(c.dim), ['left', 'right', 'right']);
  for (const one of stages) stage.push([one.name, seconds(one.wallMs), seconds(one.cpuMs)]);
  const opened = plainTable(['connection', 'wall', 'messages', 'probes', 'for'].map(c.dim), [
    'left',
    'right',
    'right',
    'right',
    'left',
  ]);
  const reported = connections.slice(0, mostConnections);
  for (const one of reported) {
    opened.push([oneLine(one.session), seconds(one.wallMs), String(one.messages), String(one.probes), purposeOf(one)]);
  }
  const rest = connections.length - reported.length + moreConnections;
  const lines = [
    `${c.bold('Timings')}  ${seconds(wallMs)} wall, ${seconds(cpuMs)} CPU of mcpc on ${plural(cores, 'core')}, ${plural(starts, 'process', 'processes')} started`,
    ...rows(stage),
    c.dim(`  Judging went on while probing, ${seconds(judgedMs)} of it.`),
    '',
    c.bold(`Connections (${connections.length + moreConnections})`),
    ...rows(opened),
    ...(rest === 0 ? [] : [c.dim(`  and ${rest} more`)]),
    ...longest('Longest steps', steps, c),
    ...longest('Longest silences on a connection, by what it was busy with', idle, c),
  ];
  return withoutCommands(lines.map((line) => line.trimEnd()).join('\n'));
}

/** Purpose of a connection: the rules that needed it, or the steps that opened it in addition to another one. */
function purposeOf({ rules, steps }: ConnectionTime): string {
  const names = rules.length > 0 ? rules : steps.map((step) => `step ${step}`);
  if (names.length === 0) return 'finding out what the server speaks';
  return `${names.slice(0, 2).map(oneLine).join(', ')}${names.length > 2 ? ', …' : ''}`;
}

function longest(heading: string, list: readonly StepTime[], c: ReturnType<typeof pc.createColors>): string[] {
  if (list.length === 0) return [];
  const table = plainTable(['step', 'connection', 'time'].map(c.dim), ['left', 'left', 'right']);
  for (const { step, session, wallMs } of list) table.push([oneLine(step), oneLine(session), seconds(wallMs)]);
  return ['', c.bold(heading), ...rows(table)];
}

function rows(table: { toString(): string }): string[] {
  return table
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function seconds(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Names in a report for processes that a target left running. */
import type { Redactor } from '../../core/trace/redaction/redact.ts';
import { endLeftBehind } from '../../client/transport/process/left-behind.ts';
import type { MarkedProcess } from '../../client/transport/process/run-mark.ts';

/** Longest part of a command line that is shown. */
const longestCommand = 300;

/** Their command lines, without secrets. */
export function shownCommands(left: readonly MarkedProcess[], redactor: Pick<Redactor, 'text'>): string[] {
  return left.map(({ command }) => redactor.text(command.slice(0, longestCommand)));
}

/** Ends the processes with the mark that are still there. @returns their command lines, each once */
export async function endedCommands(mark: string, redactor: Pick<Redactor, 'text'>): Promise<string[]> {
  return [...new Set(shownCommands(await endLeftBehind(mark), redactor))];
}

/** Text for one of them outside a list. */
export function leftBehindText(command: string): string {
  return `Left behind by a server, and ended: ${command}`;
}

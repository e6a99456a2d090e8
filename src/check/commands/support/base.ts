/**
 * Base of all commands, and the only place that prints errors and sets the exit code. Commands parse flags, call `app`,
 * print, and return their exit code; they hold no logic of their own.
 */
import { jsonWithoutCommands, withoutCommands } from '../../../core/model/ci-logs.ts';
import { Command } from '@oclif/core';
import { exitCodes, McpcError } from '../../../core/model/errors.ts';
import { listenForInterrupts } from './interrupt.ts';
import type { Interruption } from './interrupt.ts';
import { createStderrTail } from '../../target/stderr-tail.ts';
import { formatError, type Reported } from './error-text.ts';

/** Of the target's stderr, for the message of an error. */
const stderrTail = createStderrTail();

export abstract class BaseCommand extends Command {
  private interruption: Interruption | undefined;

  /** The work of the command; what it returns is the exit code, 0 when it returns nothing. */
  protected abstract work(): Promise<number | void>;

  override async run(): Promise<number> {
    stderrTail.clear();
    return (await this.work()) ?? exitCodes.compliant;
  }

  /** Errors are reported by `endWith`, for every command alike. */
  protected override async catch(error: Error): Promise<never> {
    throw error;
  }

  /** Version of mcpc, for reports. */
  protected get toolVersion(): string {
    return this.config.version;
  }

  /** Lines for a reader, to stdout. */
  protected print(text: string): void {
    process.stdout.write(withoutCommands(text));
  }

  /** Data and reports, to stdout: their formats have rules of their own. */
  protected printData(text: string): void {
    process.stdout.write(text);
  }

  /** JSON of a value, to stdout. */
  protected printJson(value: unknown): void {
    this.printData(`${jsonWithoutCommands(JSON.stringify(value, null, 2))}\n`);
  }

  /** Talk, to stderr. */
  protected talk(line: string): void {
    process.stderr.write(`${withoutCommands(line)}\n`);
  }

  /** Warns, once for each file, of code that rule files bring, and of names that have been renamed. */
  protected async warnOfHouseFiles({
    rules = [],
    facts = [],
    'rules-code': runsCode = false,
  }: {
    rules?: readonly string[] | undefined;
    facts?: readonly string[] | undefined;
    'rules-code'?: boolean;
  }): Promise<void> {
    if (rules.length + facts.length === 0) return;
    const [{ matchFiles }, { oldNameWarnings }, { codeBeside }] = await Promise.all([
      import('../../../files/package/match-files.ts'),
      import('../../../files/package/old-names.ts'),
      import('../../../files/package/rule-code.ts'),
    ]);
    if (runsCode) for (const file of codeBeside(rules)) this.talk(`Warning: runs the code of ${file} (--rules-code).`);
    for (const line of oldNameWarnings([...rules.flatMap(matchFiles), ...facts])) this.talk(`Warning: ${line}`);
  }

  /** Keeps the last lines of the target's stderr, and the first that names an error, for the message of an error. */
  protected rememberStderr(line: string): void {
    stderrTail.add(line);
  }

  /** From the first call on, Ctrl-C aborts the signal instead of ending the process. */
  protected interrupts(): Interruption {
    return (this.interruption ??= listenForInterrupts((line) => this.talk(line)));
  }

  /** The error of a run that was interrupted. */
  protected interrupted(kept: string): McpcError {
    return new McpcError('interrupted', kept);
  }
}

/** How a line ends that asks for other exit codes and errors. */
export interface OtherEnd {
  code(code: number): number;
  error(error: unknown, reported: Reported): Reported;
}

/**
 * Runs a command line to its end and leaves the process with its exit code.
 * @param work resolves to the exit code of the command
 * @param other asked for when the line has ended
 */
export async function endWith(
  work: () => Promise<unknown>,
  commands: () => readonly string[],
  other: () => OtherEnd | undefined = () => undefined,
): Promise<never> {
  const finish = async (error: unknown): Promise<never> => {
    let code: number = exitCodes.internal;
    try {
      const formed = formatError(error, {
        commands: commands(),
        words: process.argv.slice(2),
        stack: wantsStack(),
        stderr: stderrTail.telling(),
      });
      const reported = other()?.error(error, formed) ?? formed;
      code = reported.code;
      // Errors about a command line repeat parts of it.
      const { textWithoutSecrets } = await import('../../run-redactor.ts');
      await flushed(process.stderr, withoutCommands(textWithoutSecrets(reported.text, process.argv.slice(2))));
    } catch {
      // As a rejection it would return here forever: for example, a file of mcpc is gone because another version was
      // installed.
      await flushed(process.stderr, 'mcpc failed for an unknown reason: is it being reinstalled?\n');
    }
    process.exit(code);
  };
  // A reader that goes away (a pipe into head) is no error, and must not change the exit code.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => void finish(error));
  process.on('unhandledRejection', (error) => void finish(error));
  try {
    const code = await work();
    await flushed(process.stdout, '');
    const own = typeof code === 'number' ? code : exitCodes.compliant;
    process.exit(other()?.code(own) ?? own);
  } catch (error) {
    if (isQuietExit(error)) process.exit(error.oclif.exit);
    return finish(error);
  }
}

function wantsStack(): boolean {
  const end = process.argv.indexOf('--');
  const own = end === -1 ? process.argv : process.argv.slice(0, end);
  return own.includes('--verbose') || (process.env['DEBUG'] ?? '') !== '';
}

/** Pipes are written in the background on some systems; leaving before that would cut the text. */
function flushed(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write(text, () => resolve());
  });
}

/** oclif ends some paths, such as --help inside a command, by throwing. */
function isQuietExit(error: unknown): error is { oclif: { exit: number } } {
  return (error as { code?: unknown } | null)?.code === 'EEXIT';
}

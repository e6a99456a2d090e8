/** Progress of a check on stderr: a spinner on a terminal, plain lines on request, else nothing. */
import { withoutCommands } from '../../../core/model/ci-logs.ts';
import type { Ora } from 'ora';
import type { CheckProgress } from '../../check-options.ts';

export interface ProgressView {
  show(progress: CheckProgress): void;
  /** A line of the target's stderr, already redacted. */
  line(text: string): void;
  /** Something that the user should know at once. */
  notice(text: string): void;
  end(): void;
}

const words: Record<CheckProgress['stage'], string> = {
  connecting: 'Connecting',
  probing: 'Probing',
  judging: 'Judging',
};

export async function openProgress(options: { quiet: boolean; verbose: boolean; name: string }): Promise<ProgressView> {
  if (options.verbose) return plainLines(options.name);
  // Some pseudo-terminals have no width; the spinner would divide by it.
  const interactive =
    process.stderr.isTTY &&
    process.stderr.columns > 0 &&
    (process.env['CI'] ?? '') === '' &&
    process.env['TERM'] !== 'dumb';
  if (options.quiet || !interactive)
    return { show: () => {}, line: () => {}, notice: options.quiet ? () => {} : write, end: () => {} };
  const { default: ora } = await import('ora');
  // Raw mode would keep Ctrl-C from us.
  return spinner(
    ora({ stream: process.stderr, discardStdin: false, text: `${words.connecting} to ${options.name}` }).start(),
    options.name,
  );
}

function spinner(view: Ora, name: string): ProgressView {
  return {
    show(progress) {
      view.text = textOf(progress, name);
    },
    line() {},
    notice(text) {
      view.clear();
      write(text);
      view.render();
    },
    end() {
      view.stop();
    },
  };
}

function plainLines(name: string): ProgressView {
  let last = '';
  let shown = 0;
  return {
    show(progress) {
      // A line for each stage, and one for each tenth of the probes.
      const tenth = progress.total === 0 ? 10 : Math.floor((progress.done * 10) / progress.total);
      if (progress.stage === last && (progress.stage !== 'probing' || tenth === shown)) return;
      last = progress.stage;
      shown = tenth;
      process.stderr.write(`${withoutCommands(textOf(progress, name))}\n`);
    },
    notice: write,
    line(text) {
      process.stderr.write(`${withoutCommands(`  | ${text}`)}\n`);
    },
    end() {},
  };
}

function write(text: string): void {
  process.stderr.write(`${text}\n`);
}

function textOf({ stage, done, total }: CheckProgress, name: string): string {
  if (stage === 'connecting') return `${words.connecting} to ${name}`;
  return stage === 'probing' ? `${words.probing} ${name}: ${done} of ${total}` : `${words.judging} ${name}`;
}

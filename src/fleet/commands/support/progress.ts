/** Progress of a fleet run on stderr: one changing line on a terminal, else a line for each finished server. */
import { withoutCommands } from '../../../core/model/ci-logs.ts';
import type { Ora } from 'ora';
import type { FleetWatch } from '../../check-fleet.ts';
import type { FleetServer } from '../../../core/model/reports/fleet.ts';
import { formatDuration, oneLine, shorten } from '../../../report/text.ts';

export interface FleetProgress extends FleetWatch {
  end(): void;
}

export async function openFleetProgress(options: { quiet: boolean; verbose: boolean }): Promise<FleetProgress> {
  // Some pseudo-terminals have no width; the spinner would divide by it.
  const interactive =
    process.stderr.isTTY &&
    process.stderr.columns > 0 &&
    (process.env['CI'] ?? '') === '' &&
    process.env['TERM'] !== 'dumb';
  const report = (line: string): void => void process.stderr.write(`${withoutCommands(line)}\n`);
  const tally = createTally();
  if (options.quiet) return { ...tally.watch, note: report, end: () => {} };
  if (options.verbose || !interactive) return plainLines(tally, report);
  const { default: ora } = await import('ora');
  // Raw mode would keep Ctrl-C from us.
  return spinner(tally, ora({ stream: process.stderr, discardStdin: false, text: 'Starting' }).start());
}

interface Tally {
  watch: Pick<FleetWatch, 'started' | 'begun' | 'settled'>;
  readonly total: number;
  readonly done: number;
  /** `7 running, 31 of 118 done, 4 failed, 42/min, 2 min 5 s left` */
  text(): string;
}

function createTally(): Tally {
  let total = 0;
  let done = 0;
  let failed = 0;
  let running = 0;
  let fresh = 0;
  let began = performance.now();
  return {
    watch: {
      started(all, already) {
        total = all;
        done = already;
        began = performance.now();
      },
      begun: () => void (running += 1),
      settled({ status, compliant, attempts, unspoken }) {
        // A server that was not tried never began.
        if (attempts > 0 && running > 0) running -= 1;
        done += 1;
        fresh += 1;
        if (unspoken !== true && (status !== 'checked' || compliant !== true)) failed += 1;
      },
    },
    get total() {
      return total;
    },
    get done() {
      return done;
    },
    text() {
      const minutes = (performance.now() - began) / 60_000;
      const rate = fresh === 0 ? undefined : fresh / minutes;
      const left =
        rate === undefined
          ? ''
          : `, ${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)}/min, ${formatDuration(((total - done) / rate) * 60_000)} left`;
      return `${running} running, ${done} of ${total} done, ${failed} failed${left}`;
    },
  };
}

function plainLines(tally: Tally, report: (line: string) => void): FleetProgress {
  return {
    started(total, done) {
      tally.watch.started(total, done);
      report(
        done === 0
          ? `Checking ${total} server${total === 1 ? '' : 's'}`
          : `Checking ${total - done} of ${total} servers; ${done} have their result`,
      );
    },
    begun: tally.watch.begun,
    settled(server) {
      tally.watch.settled(server);
      report(`[${tally.done}/${tally.total}] ${oneLine(server.name)}: ${resultText(server)}`);
    },
    note: report,
    end() {},
  };
}

function spinner(tally: Tally, view: Ora): FleetProgress {
  const show = (): void => void (view.text = tally.text());
  const timer = setInterval(show, 1_000);
  timer.unref();
  return {
    started(total, done) {
      tally.watch.started(total, done);
      show();
    },
    begun(entry) {
      tally.watch.begun(entry);
      show();
    },
    settled(server) {
      tally.watch.settled(server);
      show();
    },
    note(line) {
      view.clear();
      process.stderr.write(`${withoutCommands(line)}\n`);
    },
    end() {
      clearInterval(timer);
      view.stop();
    },
  };
}

function resultText({ status, reason, unspoken, score, grade, compliant, failures, durationMs }: FleetServer): string {
  const took = durationMs === 0 ? '' : ` (${formatDuration(durationMs)})`;
  const why = reason === null ? '' : `; ${shorten(oneLine(reason), 200)}`;
  if (unspoken === true) return `not spoken${why}${took}`;
  if (status !== 'checked') return `${status}${why}${took}`;
  const broken = failures.filter(({ severity }) => severity === 'error').length;
  return `${grade ?? '-'} ${score ?? '-'}, ${compliant === true ? 'compliant' : `${broken} violated`}${why}${took}`;
}

/** `mcpc fleet worker`: the flags of a worker on a queue, and its end. */
import { availableParallelism } from 'node:os';
import { Flags } from '@oclif/core';
import { exitCodes } from '../../../core/model/errors.ts';
import { oneLine } from '../../../report/text.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { durationFlag, numberFlag } from '../../../check/commands/support/flags/flag-values.ts';

const usualTakeoverMs = 30_000;

export default class FleetWorker extends BaseCommand {
  static override aliases = ['factory:worker'];

  static override summary = 'Run checks from the queue of "mcpc fleet check --queue".';

  static override description =
    `Takes checks out of a queue in Redis, runs them here and sends reports and traces back. Any number of workers can share a queue; the checks of a worker that disappears go to another one. Variables such as \${TOKEN} in the fleet file are replaced here, from this environment; files that entries name (hints, baselines, folders) have to be here, too. Needs the packages bullmq and ioredis.

Ctrl-C returns the checks that are running to the queue, and ends.`;

  static override examples = [
    {
      description: 'Run until it is stopped',
      command: '<%= config.bin %> fleet worker --queue redis://queue.example:6379',
    },
    {
      description: 'Until nothing is left to do, two checks at a time',
      command: '<%= config.bin %> fleet worker --queue redis://queue.example:6379 --drain --jobs 2',
    },
  ];

  static override flags = {
    queue: Flags.string({
      summary: 'Address of Redis, the same as for "mcpc fleet check --queue".',
      helpValue: 'redis://HOST',
      required: true,
    }),
    jobs: numberFlag('jobs', {
      summary: 'Parallel checks. [default: depends on the CPU cores]',
      helpValue: 'N',
      min: 1,
      max: 256,
      whole: true,
      char: 'j',
    }),
    drain: Flags.boolean({ summary: 'Exit when the queue is empty and no check is running anywhere.' }),
    'takeover-after': durationFlag('takeover-after', {
      summary:
        'Time after which the checks of a silent worker go to other workers; use the same value for all workers. [default: 30s]',
    }),
    'cache-dir': Flags.string({
      summary: 'Directory in which npm packages are installed. [default: the user cache directory]',
      helpValue: 'DIR',
    }),
    quiet: Flags.boolean({ summary: 'Print errors only.', char: 'q' }),
  };

  protected async work(): Promise<number> {
    const { flags } = await this.parse(FleetWorker);
    const { runQueueWorker } = await import('../../queue/queue-worker.ts');
    const { signal } = this.interrupts();
    const say = (line: string): void => {
      if (!flags.quiet) this.talk(oneLine(line));
    };
    await this.interrupts().within(
      runQueueWorker({
        url: flags.queue,
        jobs: flags.jobs ?? Math.max(2, availableParallelism() * 2),
        workers: availableParallelism(),
        drain: flags.drain,
        takeoverMs: flags['takeover-after'] ?? usualTakeoverMs,
        toolVersion: this.toolVersion,
        cacheDir: flags['cache-dir'],
        signal,
        watch: {
          ready: () => say('Waiting for checks'),
          begun: (name) => say(`Checking ${name}`),
          done: ({ name, status, score }) =>
            say(`Done ${name}: ${status === 'checked' ? `score ${score ?? 'none'}` : status}`),
          note: (line) => this.talk(oneLine(line)),
        },
      }),
    );
    return signal.aborted ? exitCodes.interrupted : exitCodes.compliant;
  }
}

/** The checklist, which follows the run: a report of what has happened so far is made some time after each change. */
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { isKnownRevision } from '../../core/spec/revisions.ts';
import { loadCatalogue } from '../../files/package/load-catalogue.ts';
import { generatedFile } from '../../files/package/package-root.ts';
import type { Recording } from '../run/recording.ts';
import type { ActsSeen } from './acts-seen.ts';
import { attestedAnswers, type Answer, type Question } from './attested.ts';
import { checklistOf, type Checklist } from './checklist.ts';
import type { OpenStart } from './open-starts.ts';
import { snippetsFor } from './snippets.ts';

/** A report is made at most so often, and never takes more than a tenth of the time. */
const pauseMs = 250;
const shareOfTime = 10;

export interface ViewSources {
  options: { transport: string; toolVersion: string; name: string };
  recording: Recording;
  starts: readonly OpenStart[];
  seen: ActsSeen;
  questions: readonly Question[];
  answers: ReadonlyMap<string, Answer>;
  secret: string;
  names: Parameters<typeof snippetsFor>[0];
}

export function createView({ options, recording, starts, seen, questions, answers, secret, names }: ViewSources) {
  const catalogue = loadCatalogue({ generated: generatedFile('requirements.json') });
  const snippets = snippetsFor(names, options.transport === 'sse');
  let report: RunReport | undefined;
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<void> = Promise.resolve();
  let tookMs = 0;
  let over = false;

  const endOf = async () => {
    const skipped = starts.flatMap(({ start, isFlooded }) => {
      const what = `start ${start.name} (${start.title})`;
      if (isFlooded()) return [{ what, why: 'more requests came than are recorded' }];
      return seen.requests(start.name) === 0 ? [{ what, why: 'nothing connected to it' }] : [];
    });
    const revision = report?.parts[0]?.revision ?? '';
    return {
      skipped,
      attested: isKnownRevision(revision) ? attestedAnswers(questions, answers, catalogue, revision) : [],
    };
  };
  const refresh = async (): Promise<void> => {
    timer = undefined;
    const began = performance.now();
    // A report that cannot be made now is made after the next message.
    report = await recording.interim(await endOf()).catch(() => report);
    tookMs = performance.now() - began;
    view.onChange();
  };
  const view = {
    onChange: () => {},
    now: (): Checklist =>
      checklistOf({
        mcpc: options.toolVersion,
        name: options.name,
        base: `/${secret}/`,
        over,
        starts,
        seen,
        report: seen.total() === 0 ? undefined : report,
        questions,
        answers,
        snippets,
      }),
    changed(): void {
      if (over) return;
      timer ??= setTimeout(() => void (busy = refresh()), Math.max(pauseMs, tookMs * shareOfTime));
    },
    end(): void {
      over = true;
      clearTimeout(timer);
      view.onChange();
    },
    /** The parts of the final report that are no verdicts. */
    async endOf() {
      await busy;
      report = await recording.interim({ skipped: [] }).catch(() => report);
      return endOf();
    },
  };
  // A run that goes on has something to show at once.
  view.changed();
  return view;
}

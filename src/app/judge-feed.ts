/** Feeds trace events to the judge, one after another, while they are still being made. */
import { createJudge, type JudgeResult } from '../evaluate/judge.ts';
import { mergeMethodTables } from '../facts/method-table.ts';
import type { CompiledRule } from '../model/rule.ts';
import type { Revision } from '../model/requirement.ts';
import type { TraceEvent, TraceHeader } from '../model/trace.ts';
import { loadValidators } from '../spec/load-validators.ts';
import { methodTables } from '../spec/method-tables.ts';
import { revisions } from '../spec/revisions.ts';

export interface JudgeFeed {
  push(event: TraceEvent): void;
  /** Resolves when all that was pushed has been judged. */
  settled(): Promise<void>;
  finish(): Promise<JudgeResult>;
}

/** @param header says transport and revision; a judge knows nothing else of how the trace came about */
export async function startJudging(rules: CompiledRule[], header: TraceHeader): Promise<JudgeFeed> {
  const judge = createJudge({
    rules,
    role: 'server',
    transport: header.transport,
    ...(header.revision === undefined ? {} : { revision: header.revision }),
    methods: mergeMethodTables(await methodTables()),
    knownRevisions: revisions,
    loadValidators: (revision) => loadValidators(revision as Revision),
  });
  let last: Promise<void> = Promise.resolve();
  return {
    push(event) {
      last = last.then(() => judge.push(event));
      // The failure is reported by finish(); until then it must not count as unhandled.
      last.catch(() => {});
    },
    settled: () => last,
    async finish() {
      await last;
      return judge.finish();
    },
  };
}

/** Writes the failures of a fuzz run as a suite: cases that fail now and pass when the server is fixed. Pure. */
import { serverBlock } from '../../authoring/starter-suite/server-block.ts';
import { suiteFileText, type WrittenCase } from '../../authoring/suite-text.ts';
import { isObject } from '../../../core/model/json.ts';
import type { FuzzFailure, FuzzReport } from '../../../core/model/reports/fuzz-report.ts';
import type { Target } from '../../../client/target/target.ts';
import { canary, environmentLeak } from '../leaks.ts';

type Json = Record<string, unknown>;

/**
 * @param timeoutMs deadline of a call;
 * @param clean removes secrets
 * @returns the text of the suite; undefined without a failure
 */
export function fuzzSuite(
  report: FuzzReport,
  { target, timeoutMs, clean }: { target: Target; timeoutMs: number; clean(text: string): string },
): string | undefined {
  const { server, notes } = serverBlock(target, clean);
  const found = report.tools.flatMap(({ tool, failures }) => failures.map((failure) => ({ tool, failure })));
  if (found.length === 0) return undefined;
  const env = found.some(({ failure }) => leaksEnvironment(failure))
    ? { env: { ...(server['env'] as Json | undefined), [canary.name]: canary.value } }
    : {};
  const cases = found.map(({ tool, failure }) =>
    writtenCase(tool, failure, { timeoutMs, stateful: report.revision < '2026' }),
  );
  const comments = [
    `What mcpc fuzz --seed ${report.seed} found in ${report.server}.`,
    'Each case fails as long as the fault is there. docs/suites.md describes every member.',
    ...notes,
  ];
  return suiteFileText({ comments, members: { servers: { server: { ...server, ...env } } }, cases });
}

function leaksEnvironment({ status, detail }: FuzzFailure): boolean {
  return status === 'leak' && detail.startsWith(environmentLeak);
}

function writtenCase(
  tool: string,
  failure: FuzzFailure,
  { timeoutMs, stateful }: { timeoutMs: number; stateful: boolean },
): WrittenCase {
  const { arguments: given, status, label, detail, reproduced } = failure;
  const expect: Json =
    status === 'invalid-accepted'
      ? { refused: true }
      : status !== 'leak'
        ? { answered: true }
        : leaksEnvironment(failure)
          ? { not_contains: [canary.value] }
          : { no_internals: true };
  const call = isObject(given)
    ? { call: tool, ...(Object.keys(given).length === 0 ? {} : { with: given }), expect }
    : { request: 'tools/call', params: { name: tool, arguments: given }, expect };
  // A server that goes after its answer shows it at the next request.
  const steps = [call, ...(status === 'crash' && stateful ? [{ ping: true }, { ping: true }] : [])];
  return {
    value: {
      name: `${tool}: ${status} (${label})`,
      ...(status === 'timeout' ? { timeout: `${timeoutMs}ms` } : {}),
      steps,
    },
    comments: [detail, ...(reproduced ? [] : ['It did not happen again when it was tried alone.'])],
  };
}

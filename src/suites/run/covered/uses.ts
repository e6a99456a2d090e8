/** Which requests the cases of suites make: as their files say, or as they were sent. Setup and cleaning do not count. Pure. */
import { asText, isObject } from '../../../core/model/json.ts';
import type { CoverageReport } from '../../../core/model/reports/coverage-report.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import type { SuiteCase, Step } from '../../language/model.ts';
import type { CaseRecord } from '../../language/judge/case-record.ts';

type Json = Record<string, unknown>;

export interface Use {
  method: string;
  params: Json;
  /** Its answer, or the expected one. */
  outcome: 'result' | 'error';
  /** Placeholders stand in it, so that its arguments are not known. */
  open: boolean;
}

export interface Uses {
  requests: Use[];
  client: CoverageReport['client'];
}

export function noUses(): Uses {
  return {
    requests: [],
    client: { sampling: false, elicitation: false, roots: false, logging: false, progress: false },
  };
}

/** Coverage by the file of a case. A case that is always skipped says nothing. */
export function addWritten(uses: Uses, one: SuiteCase): void {
  if (one.skip !== undefined) return;
  const features = one.server?.features;
  for (const name of ['sampling', 'elicitation', 'roots'] as const)
    if (features?.[name] !== undefined) uses.client[name] = true;
  if (one.block === 'assert_logging') uses.client.logging = true;
  for (const { act, demands } of tested(one.steps)) {
    const request = act.kind === 'cancel' ? act.request : act;
    if (request.kind === 'request' && request.progress === true) uses.client.progress = true;
    if (request.kind !== 'request') continue;
    const params = request.params ?? {};
    const error = demands.some(
      ({ expectation: { name }, option }) => (name === 'is_error' && option === true) || name === 'expect_error',
    );
    uses.requests.push({
      method: request.method,
      params,
      outcome: error ? 'error' : 'result',
      open: JSON.stringify(params).includes('{{'),
    });
  }
}

/** Messages of a trial of a case. */
export function addSent(uses: Uses, one: SuiteCase, record: CaseRecord, events: readonly TraceEvent[]): void {
  for (const step of tested(one.steps)) {
    for (const { message, answer } of record.steps.get(step.id)?.requests ?? []) {
      const { method, params } = message;
      if (typeof method !== 'string' || answer === undefined) continue;
      const { result, error } = answer.message;
      const failed = error !== undefined || (isObject(result) && result['isError'] === true);
      uses.requests.push({
        method,
        params: isObject(params) ? params : {},
        outcome: failed ? 'error' : 'result',
        open: false,
      });
    }
  }
  for (const { kind, from, message } of events) {
    if (kind !== 'message' || from !== 'server' || !isObject(message)) continue;
    const feature = features.get(asText(message['method']));
    if (feature !== undefined) uses.client[feature] = true;
  }
}

const features = new Map<string, keyof CoverageReport['client']>([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
  ['notifications/message', 'logging'],
  ['notifications/progress', 'progress'],
]);

/** Steps that test something, those within others included. */
function tested(steps: readonly Step[]): Step[] {
  return steps
    .filter(({ phase }) => phase === 'main')
    .flatMap((step) => (step.act.kind === 'parallel' ? [step, ...step.act.steps] : [step]));
}

/**
 * Cases that assert nothing: they pass whatever the server answers, as after a typing error in `expect`. Pure.
 */
import type { Step, SuiteCase } from './model.ts';

/** True if no step of a case can fail by the server's answer. Cases that are skipped by their file are not asked. */
export function assertsNothing({ steps, skip, conformance }: SuiteCase): boolean {
  if (skip !== undefined || conformance === 'fail') return false;
  return !steps.some((step) => step.phase === 'main' && asserts(step));
}

function asserts({ act, demands, unchanged, again, capture, implied }: Step): boolean {
  if (demands.length > 0 || unchanged !== undefined || again === true || Object.keys(capture).length > 0) return true;
  switch (act.kind) {
    case 'request':
    case 'cancel':
    case 'handshake':
      return implied === true;
    case 'observe':
      return false;
    case 'parallel':
      return act.steps.some(asserts);
    case 'calls':
      return act.assertions.length > 0;
    default:
      return true;
  }
}

/** For a reader, what is missing. */
export const nothingAsserted = 'the case asserts nothing: no step of it has an expectation that mcpc knows';

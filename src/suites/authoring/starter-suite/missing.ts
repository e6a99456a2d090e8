/** Which attempts of a starter suite try what the suites of a server do not cover yet. */
import { completionName } from '../../run/covered/coverage.ts';
import { asText, isObject } from '../../../core/model/json.ts';
import type { CoverageReport } from '../../../core/model/reports/coverage-report.ts';
import type { Attempt } from './attempts.ts';

export { writeStarterSuite } from './starter-suite.ts';

/** True if a case of the attempt would cover something new. */
export function missesCase(coverage: CoverageReport, { method, params, wrong }: Attempt): boolean {
  if (method === 'prompts/get') return coverage.prompts.missing.includes(asText(params['name']));
  if (method === 'resources/read') return coverage.resources.missing.includes(asText(params['uri']));
  if (method === 'completion/complete') return coverage.completions.missing.includes(completionName(params));
  const name = asText(params['name']);
  if (coverage.uncovered_tools.includes(name)) return true;
  const tool = coverage.tools.find((one) => one.name === name);
  if (tool === undefined) return false;
  if (wrong === true) return tool.refusal === false;
  const given = isObject(params['arguments']) ? Object.keys(params['arguments']) : [];
  return given.some((one) => tool.arguments.missing.includes(one));
}

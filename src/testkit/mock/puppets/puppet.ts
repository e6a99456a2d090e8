/** Starts the puppet of an example over HTTP, in this process. For stdio see puppet-stdio.ts. */
import type { RuleExample } from '../../../core/model/rules/rule.ts';
import { compileScript, type ScriptSetting } from '../script.ts';
import { startHttpPuppet, type HttpPuppet, type HttpPuppetOptions } from './http-puppet.ts';
import { startSsePuppet } from './sse-puppet.ts';

export type PuppetOptions = Omit<HttpPuppetOptions, 'script'>;

/**
 * @param setting its transport is `http` or `sse`
 * @throws NotationError for a wrong line of the example
 */
export function startPuppet(
  example: RuleExample,
  setting: ScriptSetting,
  options: PuppetOptions = {},
): Promise<HttpPuppet> {
  const script = compileScript(example, setting);
  const start = setting.transport === 'sse' ? startSsePuppet : startHttpPuppet;
  return start({ script, ...options });
}

/** Flags that say which tools may be called. Shared by every command that calls tools. */
import { Flags } from '@oclif/core';
import { usageError } from '../../../../core/model/errors.ts';
import { settingFlags } from './setting-flags.ts';

const group = 'TOOLS';

export const toolFlags = {
  ...settingFlags('tools'),
  plan: Flags.boolean({
    summary:
      'List which tools would be called, with which arguments, and which would not; call none. With --json as JSON.',
    helpGroup: group,
    exclusive: ['watch', 'trace', 'baseline', 'output', 'format'],
  }),
};

export interface ToolFlagValues {
  'allow-tool'?: string[] | undefined;
  'deny-tool'?: string[] | undefined;
  'allow-destructive': boolean;
}

/** @throws McpcError usage for an empty name */
export function toolConsent(flags: ToolFlagValues): {
  allowDestructive: boolean;
  allowTools: string[];
  denyTools: string[];
} {
  for (const flag of ['allow-tool', 'deny-tool'] as const) {
    if (flags[flag]?.some((name) => name.trim() === '') === true)
      throw usageError(
        `--${flag} takes the name of a tool or a glob, not an empty text.`,
        `For example --${flag} 'create_*'.`,
      );
  }
  return {
    allowDestructive: flags['allow-destructive'],
    allowTools: flags['allow-tool'] ?? [],
    denyTools: flags['deny-tool'] ?? [],
  };
}

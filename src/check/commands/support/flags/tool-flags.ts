/** Flags that say which tools may be called. Shared by every command that calls tools. */
import { Flags } from '@oclif/core';
import { usageError } from '../../../../core/model/errors.ts';
import { repeatedFlag } from './flag-values.ts';

const group = 'TOOLS';

export const toolFlags = {
  'allow-tool': repeatedFlag({
    summary: 'Call this tool even if it may change something; a name or a glob. Repeats.',
    helpGroup: group,
    helpValue: "NAME|'glob*'",
  }),
  'deny-tool': repeatedFlag({
    summary: 'Never call this tool, whatever else is allowed. Repeats.',
    helpGroup: group,
    helpValue: "NAME|'glob*'",
  }),
  plan: Flags.boolean({
    summary:
      'List which tools would be called, with which arguments, and which would not; call none. With --json as JSON.',
    helpGroup: group,
    exclusive: ['watch', 'trace', 'baseline', 'output', 'format'],
  }),
  'allow-destructive': Flags.boolean({
    summary:
      'Call every tool that is not denied. By default mcpc calls only tools with readOnlyHint: true, and tools without annotations whose name and description say that they only read; the report lists the others.',
    helpGroup: group,
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

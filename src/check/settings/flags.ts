/** Flags that set a setting, as data: commands make flags of their parser from it. */

/** Sets of flags: of every command that reaches a server, of those that call tools, of one check, of a fleet. */
export type FlagSet = 'target' | 'network' | 'tools' | 'check' | 'fleet';

/** How a flag is written. */
export type FlagForm =
  | { as: 'text'; value: string; usual?: string }
  | { as: 'words'; value: string; char?: 'H' | 'e' }
  | { as: 'choice'; options: readonly string[] }
  | { as: 'number'; value: string; min: number; max: number }
  | { as: 'duration' }
  | { as: 'switch' };

/** The flag in one set. */
export interface FlagText {
  summary: string;
  /** Heading in the help; that of the command for flags of `network`. */
  group: string;
}

export type SettingFlags = { name: string } & FlagForm & { [Set in FlagSet]?: FlagText };

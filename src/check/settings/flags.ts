/** Flags that set a setting, as data: commands make flags of their parser from it. */

/**
 * Commands with the flag: those that reach a server, reach it over HTTP, call tools or have a gate. `check` and `fleet`
 * are single commands: `mcpc check`, and `mcpc fleet check`, where it replaces the setting of every server.
 */
export type FlagSet = 'target' | 'network' | 'tools' | 'gate' | 'check' | 'fleet';

/** Form of a flag. */
type FlagForm =
  | { as: 'text'; value: string }
  | { as: 'words'; value: string; char?: 'H' | 'e' }
  | { as: 'choice'; options: readonly string[] }
  | { as: 'number'; value: string; min: number; max: number }
  | { as: 'duration' }
  | { as: 'switch' };

/** The flag in the help of one set of commands. */
interface FlagText {
  summary: string;
  /** Heading; the command's own when absent. */
  group?: string;
  /** Form of the value, where it is another one here. */
  value?: string;
  usual?: string;
}

export type SettingFlags = { name: string } & FlagForm & { [Set in FlagSet]?: FlagText };

/** Flags that set a setting of the table, and their values as settings. */
import { Flags, type Interfaces } from '@oclif/core';
import type { FlagSet, SettingFlags } from '../../../settings/flags.ts';
import { rows, type SettingName, type Table } from '../../../settings/table.ts';
import type { Settings } from '../../../settings/types.ts';
import { durationFlag, numberFlag, repeatedFlag } from './flag-values.ts';

/** Settings with a flag in the set, or in one of several sets. */
type Within<Set extends FlagSet> = Set extends FlagSet
  ? { [Name in SettingName]: Table[Name] extends { flags: { [One in Set]: unknown } } ? Name : never }[SettingName]
  : never;

type FlagName<Name extends SettingName> = Table[Name] extends { flags: { name: infer Own extends string } }
  ? Own
  : never;

type FlagValue<Form> = Form extends { as: 'number' | 'duration' }
  ? number
  : Form extends { as: 'words' }
    ? string[]
    : Form extends { as: 'switch' }
      ? boolean
      : Form extends { as: 'choice'; options: readonly (infer One)[] }
        ? One
        : string;

type ParsedFlag<Form, Set extends FlagSet> = Form extends { as: 'switch' }
  ? Interfaces.BooleanFlag<boolean>
  : Form extends Record<Set, { usual: string }>
    ? Interfaces.OptionFlag<FlagValue<Form>>
    : Interfaces.OptionFlag<FlagValue<Form> | undefined>;

type FlagsOf<Name extends SettingName> = Table[Name] extends { flags: infer Form } ? Form : never;

/** Values of the flags of a set, as far as they are given. */
export type SettingFlagValues<Set extends FlagSet> = {
  [Name in Within<Set> as FlagName<Name>]?: FlagValue<FlagsOf<Name>> | undefined;
};

/**
 * The flags of a set, by name.
 * @param heading for flags without one
 */
export function settingFlags<Set extends FlagSet>(
  set: Set,
  heading?: string,
): { [Name in Within<Set> as FlagName<Name>]: ParsedFlag<FlagsOf<Name>, Set> } {
  const flags = rows.flatMap(([, { flags: flag }]) =>
    flag?.[set] === undefined ? [] : [[flag.name, parsedFlag(flag, flag[set], heading)]],
  );
  return Object.fromEntries(flags) as ReturnType<typeof settingFlags<Set>>;
}

function parsedFlag(flag: SettingFlags, text: NonNullable<SettingFlags[FlagSet]>, heading = ''): object {
  const { summary, group: helpGroup = heading, usual } = text;
  switch (flag.as) {
    case 'switch':
      return Flags.boolean({ summary, helpGroup });
    case 'duration':
      return durationFlag(flag.name, { summary, helpGroup });
    case 'number':
      return numberFlag(flag.name, { summary, helpGroup, helpValue: flag.value, min: flag.min, max: flag.max });
    case 'words':
      return repeatedFlag({ summary, helpGroup, helpValue: flag.value, char: flag.char });
    case 'choice':
      return Flags.option({ summary, helpGroup, options: flag.options })();
    case 'text':
      return Flags.string({ summary, helpGroup, helpValue: text.value ?? flag.value, default: usual });
  }
}

/** The settings that flags of a set give, under the names of the table. */
export function settingsOf<Set extends FlagSet>(set: Set, flags: SettingFlagValues<Set>): Pick<Settings, Within<Set>> {
  const given: Readonly<Record<string, unknown>> = flags;
  const values = rows.flatMap(([name, { flags: flag }]) =>
    flag?.[set] === undefined || given[flag.name] === undefined ? [] : [[name, given[flag.name]]],
  );
  return Object.fromEntries(values) as Pick<Settings, Within<Set>>;
}

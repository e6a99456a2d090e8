/** Types that follow from the table of settings. */
import type { SettingName, Table } from './table.ts';

type Written<Name extends SettingName> = Parameters<Table[Name]['kind']['read']>[0];
type Value<Name extends SettingName> = ReturnType<Table[Name]['kind']['read']>;

/** Name of its property in the object `Group` of a file; never where it is elsewhere. */
type NameInFile<Name extends SettingName, Group> = Table[Name] extends { file: { in: infer In; name: infer Own } }
  ? In extends Group
    ? Own
    : never
  : never;

/** Settings as a file writes them, where it fits the schema. */
export type FileSettings = {
  [Name in SettingName as Table[Name] extends { file: unknown } ? never : Name]?: Written<Name>;
} & {
  timeouts?: { [Name in SettingName as NameInFile<Name, 'timeouts'> & string]?: Written<Name> };
};

/** One layer: texts are texts, times are milliseconds, paths absolute unless they begin with a variable. */
export type Settings = { [Name in SettingName]?: Value<Name> };

/** Its property in an entry. */
type NameInEntry<Name extends SettingName> = Table[Name] extends { entry: { name: infer Own extends string } }
  ? Own
  : Name;

/** Names of the settings in the object `Group` of an entry. */
type Within<Group> = {
  [Name in SettingName]: Table[Name] extends { entry: { in: Group } } ? Name : never;
}[SettingName];

type Top = Exclude<
  { [Name in SettingName]: Table[Name] extends { entry: false } ? never : Name }[SettingName],
  Within<string>
>;
type TopWithUsual = { [Name in Top]: Table[Name] extends { usual: unknown } ? Name : never }[Top];

/** The way to a server; texts may hold `${VAR}`. */
export type FleetNetwork = { [Name in Within<'network'> as NameInEntry<Name>]?: Value<Name> };

/** Settings of an entry, joined; variables are left as they are. */
export type EntrySettings = { [Name in TopWithUsual as NameInEntry<Name>]: Value<Name> } & {
  [Name in Exclude<Top, TopWithUsual> as NameInEntry<Name>]?: Value<Name>;
} & {
  /** Of servers with an address: how they are reached. Paths are absolute. */
  network?: FleetNetwork;
  /** Milliseconds: of one answer, of the start, and of the whole check. */
  timeouts: { [Name in Within<'timeouts'> as NameInEntry<Name>]?: Value<Name> };
};

type OptionName = { [Name in SettingName]: Table[Name] extends { option: true } ? Name : never }[SettingName];

/** Settings that are options of a check under the same names. */
export type SettingOptions = { [Name in OptionName & TopWithUsual]: Value<Name> } & {
  [Name in Exclude<OptionName, TopWithUsual>]?: Value<Name>;
};

type ListName = { [Name in Top]: Table[Name] extends { list: unknown } ? Name : never }[Top];
type Shown<Name extends SettingName> = Table[Name] extends { list: (value: never) => infer Form } ? Form : Value<Name>;

/** Settings as `fleet list --json` prints them. */
export type ListedSettings = { [Name in ListName & TopWithUsual as NameInEntry<Name>]: Shown<Name> } & {
  [Name in Exclude<ListName, TopWithUsual> as NameInEntry<Name>]?: Shown<Name>;
} & Pick<EntrySettings, 'timeouts'>;

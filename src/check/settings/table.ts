/**
 * The settings of a server of a fleet file: one row each, in the order of the schema. Types, reading, layers, entries,
 * `fleet list`, flags, the schema and the table of generated/FLEET.md follow from the rows.
 */
import { checkRows } from './check-rows.ts';
import { reachRows } from './reach-rows.ts';
import type { Row } from './row.ts';

export type Table = typeof reachRows & typeof checkRows;
export type SettingName = keyof Table;

/** The rows in order, for code that treats them alike. */
export const rows = Object.entries({ ...reachRows, ...checkRows }) as [SettingName, Row][];

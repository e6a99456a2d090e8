/** Fleets as their files describe them. Shapes only. */
import type {
  DisabledRule,
  FleetBase,
  FleetGate,
  FleetReach,
  TagPolicy,
  UnreadServer,
} from '../../core/model/reports/fleet.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { ProjectSections } from './project-rows.ts';
import type { EntrySettings } from './types.ts';

/** One server of a fleet file, with the defaults of the file put in and its variables left as they are. */
export interface FleetEntry extends EntrySettings {
  /** Name for a reader, unique in the fleet. */
  name: string;
  /** Name of its folder in the run directory: made from the name, unique, safe in every file system. */
  id: string;
  /** Its place, `file:line` or `file`, for errors. */
  from: string;
  /** Absolute; paths that begin with a variable start here once it is put in. */
  folder: string;
  reach: FleetReach;
  /** Of a client, to which mcpc is the server: the transport that it speaks. `reach` is how it is started. */
  client?: { transport: TransportKind };
  spec: Revision | 'auto';
  /** Where it is one revision of a server that is checked by several: the server, whose own name and id these are, and how many revisions. */
  base?: FleetBase;
  /** Rules that the project file disables. */
  disabled?: { rules: DisabledRule[]; mayFailElsewhere: boolean };
}

/** What a project file says of its runs. */
export interface ProjectSettings extends ProjectSections {
  /** Rules whose failures are accepted for a reason. */
  disable: DisabledRule[];
}

/** A fleet file as read: every server that it names, directly or by other files. */
export interface Fleet {
  file: string;
  entries: FleetEntry[];
  policies: TagPolicy[];
  /** Policies of the file for the whole run; flags take precedence. */
  gate: FleetGate;
  /** Checks at a time on one host. */
  maxPerHost?: number;
  /** Parts of a project file about the run: how its servers are judged, and the gate of `mcpc ci`. */
  project: ProjectSettings;
  /** Servers of included files that cannot be checked. */
  unread: UnreadServer[];
  /** Warnings for the reader, such as a server of an included file that was left out. */
  notices: string[];
}

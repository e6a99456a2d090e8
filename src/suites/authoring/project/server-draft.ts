/** A server that a project file may have, before it was tried. */

/** How `mcpc.yaml` reaches a server. */
export type DraftReach =
  | { kind: 'command'; command: string; args: string[] }
  | { kind: 'url'; url: string }
  /** A server of a client's configuration: the file, as `mcpc.yaml` names it. */
  | { kind: 'include'; file: string };

export interface ServerDraft {
  name: string;
  /** Where it was found, for a reader: `package.json, bin`. */
  from: string;
  reach: DraftReach;
}

export interface FoundDrafts {
  drafts: ServerDraft[];
  /** What was found and cannot be used, a sentence each. */
  without: string[];
}

/** What a server is started with or reached at, for a reader. */
export function reachText({ name, reach }: ServerDraft): string {
  if (reach.kind === 'command') return [reach.command, ...reach.args].join(' ');
  return reach.kind === 'url' ? reach.url : `"${name}" of ${reach.file}`;
}

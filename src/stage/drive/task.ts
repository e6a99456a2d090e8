/** The task of a client in one start: where the server is, and what to do there. */
import type { ClientAct } from '../../core/model/rules/situation.ts';
import type { TransportKind } from '../../core/model/trace.ts';

/** The value of MCPC_TASK; rules/language/client-task.schema.json describes it. */
export interface ClientTask {
  version: 1;
  /** Name of the start. */
  start: string;
  transport: TransportKind;
  /** HTTP: the address. */
  url?: string;
  /** stdio: the command of the server. */
  command?: string[];
  /** The revision to ask for, where one is pinned. */
  protocolVersion?: string;
  acts: ClientAct[];
}

/** The task in the terms of the official conformance suite, for clients that were written for it. */
export interface OfficialTask {
  /** Name of the scenario. */
  name: string;
  /** The rest of MCP_CONFORMANCE_CONTEXT: credentials, calls to make. */
  context?: Record<string, unknown> | undefined;
}

/** What takes the place of each placeholder of the command line, by its name. */
export type Places = Readonly<Record<string, string>>;

/**
 * The command line with its placeholders filled in.
 * @param last what comes behind all words where no word has a placeholder
 */
export function filledIn(words: readonly string[], places: Places, last: readonly string[]): string[] {
  const names = Object.keys(places).map((name) => `{{${name}}}`);
  if (!words.some((word) => names.some((name) => word.includes(name)))) return [...words, ...last];
  return words.map((word) =>
    Object.entries(places).reduce((text, [name, value]) => text.replaceAll(`{{${name}}}`, () => value), word),
  );
}

/** Variables of the official conformance contract, and our own. */
export function taskEnvironment(task: ClientTask, { name, context }: OfficialTask): Record<string, string> {
  return {
    MCP_CONFORMANCE_SCENARIO: name,
    ...(task.protocolVersion === undefined ? {} : { MCP_CONFORMANCE_PROTOCOL_VERSION: task.protocolVersion }),
    MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name, ...context }),
    MCPC_TASK: JSON.stringify(task),
  };
}

/** The kind of an act, one word for each command or function that does it: `list-tools`, `call`, `set-level`. */
export function nameOfAct({ act, of }: ClientAct): string {
  return act === 'list' ? `list-${of ?? 'tools'}` : act;
}

/** What a client is told of a start: where the server is, and what it is asked to do there. */
import type { ClientAct } from '../../core/model/rules/situation.ts';
import type { TransportKind } from '../../core/model/trace.ts';

/** What MCPC_TASK holds; rules/language/client-task.schema.json describes it. */
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

/** What a client that was written for the official conformance suite is told. */
export interface OfficialTask {
  /** Name of the scenario. */
  name: string;
  /** What MCP_CONFORMANCE_CONTEXT has beside the name: credentials, calls to make. */
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

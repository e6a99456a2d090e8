/** What a client is told by its command line and its environment: the address, and what it is asked to do. */
import type { ClientAct } from '../../core/model/rules/situation.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import type { PlannedStart } from '../scene/start-plan.ts';

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

const placeholder = '{{url}}';

/** The command line with the address in place of `{{url}}`, or behind all words where none has it. */
export function withUrl(words: readonly string[], url: string): string[] {
  return words.some((word) => word.includes(placeholder))
    ? words.map((word) => word.replaceAll(placeholder, () => url))
    : [...words, url];
}

/** Variables of the official conformance contract, and our own. */
export function taskEnvironment(task: ClientTask, scenario: string): Record<string, string> {
  return {
    MCP_CONFORMANCE_SCENARIO: scenario,
    ...(task.protocolVersion === undefined ? {} : { MCP_CONFORMANCE_PROTOCOL_VERSION: task.protocolVersion }),
    MCP_CONFORMANCE_CONTEXT: JSON.stringify({ name: scenario }),
    MCPC_TASK: JSON.stringify(task),
  };
}

/** The official scenario whose client does what the start asks for. */
export function scenarioOf({ situation }: PlannedStart): string {
  return (situation.drive ?? []).some(({ act }) => act === 'call') ? 'tools_call' : 'initialize';
}

/**
 * The script of a puppet: the lines of a rule example (src/core/trace/notation.ts), sorted into what a client is
 * expected to send and what the server does upon it. It plays nothing and knows no transport.
 */
import { append } from '../../core/model/lists.ts';
import type { Era } from '../../core/model/rules/requirement.ts';
import type { RuleExample } from '../../core/model/rules/rule.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import { parseNotation, type NotationAct } from '../../core/trace/notation.ts';
import { isRecord, parseJson, type Json } from './json.ts';

export type ClientAct = Extract<
  NotationAct,
  { act: 'client-message' | 'client-raw' | 'client-http' | 'client-drop' | 'close-stdin' }
>;

export type ServerAct = Extract<
  NotationAct,
  {
    act:
      | 'server-message'
      | 'server-raw'
      | 'server-status'
      | 'server-fetch'
      | 'server-stream'
      | 'server-event'
      | 'server-end'
      | 'timeout'
      | 'server-closed'
      | 'exit';
  }
> & {
  /** More follows on the same reply, so that it has to be a stream. */
  continues?: boolean;
};

/** Something that a client sends, and what the server does when it comes. */
export interface ClientLine {
  act: ClientAct;
  reactions: ServerAct[];
}

/** Events of one connection. */
export interface Section {
  /** The connection begins with the default handshake, which the script does not show. */
  handshake: boolean;
  /** Actions of the server by itself, after the handshake. */
  opening: ServerAct[];
  lines: ClientLine[];
  /** The process goes on when stdin is closed; with `ignoresSigterm` also when it is asked to end. */
  outlivesStdin?: { ignoresSigterm: boolean };
}

export interface Script {
  transport: TransportKind;
  revision: string;
  era: Era;
  /** Capabilities of the server in its default handshake. */
  capabilities: Json;
  /** At least one; the first is played by the first connection. */
  sections: Section[];
  /** Addresses that the script says the server listens on. */
  listening: string[];
}

export interface ScriptSetting {
  transport: TransportKind;
  revision: string;
  era: Era;
}

/** @throws NotationError for a line that is wrong */
export function compileScript(example: RuleExample, setting: ScriptSetting): Script {
  const handshake = example.handshake !== false;
  const script: Script = {
    transport: setting.transport,
    revision: setting.revision,
    era: setting.era,
    capabilities: example.serverCapabilities ?? { tools: {} },
    sections: [{ handshake, opening: [], lines: [] }],
    listening: [],
  };
  const acts = parseNotation(example.trace);
  let section = script.sections[0]!;
  acts.forEach((act, index) => (section = addAct(script, section, act, acts[index + 1])));
  const [first] = script.sections;
  // A script that leaves out the handshake may name its first connection as well.
  if (!handshake && script.sections.length > 1 && first!.opening.length + first!.lines.length === 0)
    script.sections.shift();
  return script;
}

/** @returns the section that the next act belongs to */
function addAct(script: Script, section: Section, act: NotationAct, next: NotationAct | undefined): Section {
  switch (act.act) {
    case 'session':
      script.sections.push({ handshake: !act.bare, opening: [], lines: [] });
      return script.sections.at(-1)!;
    case 'session-again':
      return script.sections[act.number - 1] ?? section;
    case 'pause':
    case 'stderr':
    // The player of a script did not start it.
    case 'shut-down':
    case 'client-exit':
      return section;
    case 'listening':
      append(script.listening, act.addresses);
      return section;
    case 'client-message':
    case 'client-raw':
    case 'client-http':
    case 'client-drop':
    case 'close-stdin':
      section.lines.push({ act, reactions: [] });
      return section;
    default:
      addServerAct(section, act, next);
      return section;
  }
}

function addServerAct(section: Section, act: ServerAct, next: NotationAct | undefined): void {
  if (act.act === 'timeout' && act.what === 'exit') {
    section.outlivesStdin = { ignoresSigterm: false };
    return;
  }
  if (act.act === 'exit' && section.outlivesStdin) {
    // The checker ends it; the signal shows how long it resisted.
    section.outlivesStdin.ignoresSigterm = act.signal === 'SIGKILL';
    return;
  }
  const reactions = section.lines.at(-1)?.reactions ?? section.opening;
  reactions.push(act.act === 'server-message' ? { ...act, continues: continues(act.message, next) } : act);
}

/** Requests and notifications never are a whole reply, nor is what a notification follows. */
function continues(message: unknown, next: NotationAct | undefined): boolean {
  if (isRecord(message) && 'method' in message) return true;
  return (
    next?.act === 'server-message' && isRecord(next.message) && 'method' in next.message && !('id' in next.message)
  );
}

/** The messages in the client lines of a script, those in batches one by one. */
export function clientMessages(script: Script): Json[] {
  return script.sections.flatMap((section) =>
    section.lines.flatMap(({ act }) => (act.act === 'client-message' ? [act.message].flat().filter(isRecord) : [])),
  );
}

/** Every message that a script lets the server send, also those in events and bodies. */
export function serverMessages(section: Section): Json[] {
  const acts = [...section.opening, ...section.lines.flatMap((line) => line.reactions)];
  return acts.flatMap((act) => {
    if (act.act === 'server-message') return [act.message].flat().filter(isRecord);
    if (act.act === 'server-event') return [parseJson(act.data)].flat().filter(isRecord);
    return act.act === 'server-status' ? [parseJson(act.body)].flat().filter(isRecord) : [];
  });
}

/** Name that an act gives to its exchange, or by which it refers to one. */
export function labelOf(act: object): string | undefined {
  return 'label' in act ? (act.label as string | undefined) : undefined;
}

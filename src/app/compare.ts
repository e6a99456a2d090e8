/** The use case `diff`: how the behaviour in one trace or capture differs from that in another. */
import { randomBytes } from 'node:crypto';
import picomatch from 'picomatch';
import { usageError } from '../model/errors.ts';
import type { TraceEvent, TraceHeader } from '../model/trace.ts';
import { compareConversations, type Difference } from '../trace/compare.ts';
import { conversationsOf } from '../trace/conversation.ts';
import { readTrace } from '../trace/jsonl-reader.ts';
import { fileKind, openWire, type WireChoice } from './capture.ts';

export type { Difference };

export interface OpenedTrace {
  header: TraceHeader;
  events: AsyncIterable<TraceEvent>;
  /** Format of a capture; `mcpc` for a trace. */
  format: string;
  /** After the last event: what a reader should know. */
  notes(): string[];
}

/** Opens a trace of mcpc or a capture in any format. @throws McpcError (usage) */
export async function openTrace(file: string, choice: WireChoice = {}): Promise<OpenedTrace> {
  const kind = choice.format === undefined ? await fileKind(file) : 'capture';
  if (kind === 'episode') throw usageError(`${file} is an episode of tool calls, not a trace.`, 'Name the capture that it was made from.');
  if (kind === 'trace') {
    const trace = await readTrace(file);
    const cutOff = (): string[] => (trace.footer() === undefined ? ['the trace was cut off'] : trace.footer()?.complete === false ? [`the trace is not complete: ${trace.footer()?.reason ?? 'no reason given'}`] : []);
    return { header: trace.header, events: trace.events, format: 'mcpc', notes: cutOff };
  }
  const wire = await openWire(file, choice);
  return { header: wire.header, events: wire.events, format: wire.capture.format, notes: () => [...wire.capture.warnings] };
}

export interface CompareChoice {
  left: WireChoice;
  right: WireChoice;
  /** Globs over paths such as `tools/call/result/content/**`. */
  ignore?: readonly string[];
}

/** @throws McpcError (usage) for files that cannot be read */
export async function compareFiles(left: string, right: string, choice: CompareChoice): Promise<Difference[]> {
  // Equal values get equal stand-ins in both.
  const key = randomBytes(32);
  const [one, two] = [await openTrace(left, { ...choice.left, key }), await openTrace(right, { ...choice.right, key })];
  const conversations = [await conversationsOf(one.events), await conversationsOf(two.events)] as const;
  const ignore = choice.ignore ?? [];
  const matches = ignore.length === 0 ? () => false : picomatch([...ignore], { dot: true });
  return compareConversations(conversations[0], conversations[1], { ignored: matches });
}

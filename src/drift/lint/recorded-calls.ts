/** Calls of tools in a recording, for the lint rules that need results: mcpc lint calls nothing itself. */
import { openTrace, type WireChoice } from '../../check/capture/open-capture.ts';
import { asObject, canonical } from '../../core/model/json.ts';
import { conversationsOf, type Conversation } from '../../core/trace/conversation.ts';
import type { RecordedCalls } from './subjects.ts';

/** @throws McpcError usage for a file that cannot be read */
export async function recordedCalls(file: string, choice: WireChoice = {}): Promise<RecordedCalls[]> {
  const { events } = await openTrace(file, choice);
  return (await conversationsOf(events)).flatMap(callsOf);
}

/**
 * Equal calls count together only where no other call came between them: the answer to a later one may differ, since
 * the other call may have changed something.
 */
function callsOf({ requests }: Conversation): RecordedCalls[] {
  const groups: (RecordedCalls & { key: string; seen: Set<string> })[] = [];
  for (const { from, method, params, outcome, reply } of requests) {
    if (from !== 'client' || method !== 'tools/call') continue;
    const { name, arguments: args = {} } = asObject(params) ?? {};
    if (typeof name !== 'string') continue;
    const key = canonical([name, args]);
    let group = groups.at(-1);
    if (group?.key !== key) groups.push((group = { name, times: 0, answers: 0, bytes: 0, key, seen: new Set() }));
    if (outcome === 'none') continue;
    group.times += 1;
    const { _meta, ...told } = asObject(reply) ?? {};
    group.seen.add(canonical([outcome, told]));
    group.answers = group.seen.size;
    if (outcome === 'result') group.bytes = Math.max(group.bytes, Buffer.byteLength(JSON.stringify(reply)));
  }
  return groups.map(({ key: _key, seen: _seen, ...group }) => group);
}

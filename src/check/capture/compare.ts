/** The use case `diff`: how the behaviour in one trace or capture differs from that in another. */
import { randomBytes } from 'node:crypto';
import picomatch from 'picomatch';
import { compareConversations, type Difference } from '../../core/trace/compare.ts';
import { conversationsOf } from '../../core/trace/conversation.ts';
import { openTrace, type WireChoice } from './open-capture.ts';

export type { Difference };

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

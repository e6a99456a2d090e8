/**
 * Which example of a rule is played on which transport: on one, by turns, so that each rule meets all of its
 * transports. The rule's id decides which comes first.
 */
import type { TransportKind } from '../../src/core/model/trace.ts';
import { drawn } from './run/draw.ts';

/** An example with the settings that it can be played in, one for each transport. */
export interface Playable<Setting> {
  index: number;
  verdict: string;
  settings: readonly Setting[];
}

/**
 * One setting for each example. The transport that the rule has met least with that verdict, then the one it has
 * met least at all, comes first; examples play once more where a transport would be left out.
 */
export function inTurns<Setting extends { transport: TransportKind }, Extra>(
  rule: string,
  examples: readonly (Extra & Playable<Setting>)[],
): { example: Extra; setting: Setting }[] {
  const transports = [
    ...new Set(examples.flatMap(({ settings }) => settings.map(({ transport }) => transport))),
  ].sort();
  const offset = drawn(rule);
  const turnOf = (transport: TransportKind): number => (transports.indexOf(transport) + offset) % transports.length;
  const met: { verdict: string; transport: TransportKind }[] = [];
  const times = (transport: TransportKind, verdict?: string): number =>
    met.filter((one) => one.transport === transport && (verdict === undefined || one.verdict === verdict)).length;

  // Those with little choice go first, so that the others make up for what they leave out.
  const choosing = [...examples].sort((a, b) => a.settings.length - b.settings.length);
  const played = choosing.flatMap((example) => {
    const [setting] = [...example.settings].sort(
      (a, b) =>
        times(a.transport, example.verdict) - times(b.transport, example.verdict) ||
        times(a.transport) - times(b.transport) ||
        turnOf(a.transport) - turnOf(b.transport),
    );
    if (setting === undefined) return [];
    met.push({ verdict: example.verdict, transport: setting.transport });
    return [{ example, setting }];
  });
  const missed = transports.filter((transport) => times(transport) === 0);
  const more = missed.map((transport) => {
    const example = examples.find(({ settings }) => settings.some((setting) => setting.transport === transport))!;
    return { example, setting: example.settings.find((setting) => setting.transport === transport)! };
  });
  return [...played, ...more].sort((a, b) => a.example.index - b.example.index);
}

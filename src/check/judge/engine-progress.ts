/** Says how long judging by json-rules-engine alone may take, before it starts, and how far it is: a line each tenth. */

export interface EngineProgress {
  /** Another event has been judged. */
  judged(): void;
}

/** Events that are judged in a few seconds, without progress messages. */
const fewEvents = 20_000;
/** Events per second on an ordinary machine; it depends on the events. */
const eventsASecond = 500;

/**
 * @param total events that there are
 * @param note takes a line for the user
 * @param now milliseconds of a clock
 */
export function createEngineProgress(
  total: number,
  note: (line: string) => void,
  now: () => number = () => performance.now(),
): EngineProgress {
  if (total <= fewEvents) return { judged: () => {} };
  note(
    `json-rules-engine judges each of ${total} events by itself (--evaluator engine), which may take ${lengthOf(total / eventsASecond)}.`,
  );
  const began = now();
  let done = 0;
  let reported = 0;
  return {
    judged() {
      done += 1;
      const tenth = Math.floor((done * 10) / total);
      if (tenth === reported || tenth >= 10) return;
      reported = tenth;
      const left = ((now() - began) / done) * (total - done);
      note(`${done} of ${total} events judged, ${lengthOf(left / 1000)} to go.`);
    },
  };
}

function lengthOf(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? `about ${Math.round(seconds / 60)} min` : `about ${(seconds / 3600).toFixed(1)} h`;
}

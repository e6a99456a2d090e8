/**
 * Decides that a target has stopped answering, so that a run ends instead of waiting for every probe: after five
 * time-outs in a row on any connection, or after the first where it has answered nothing but handshakes and does not
 * answer a list either. Only valid requests count, because a deviation may go unanswered. A handshake that is answered
 * proves little; five handshakes in a row without an answer end the run too. Before the last time-out a plain request is
 * sent, so that a few slow tools in a row are no reason.
 */
import type { Answer, Peer, Pending } from '../peer/peer.ts';
import { askSentinel } from '../steps/support/step-scope.ts';

/** Time-outs in a row that end a run, the plain request at the end included. */
const most = 5;

export interface SilenceWatch {
  /** The peer, with its answers counted. @param handshaken it has answered a handshake already */
  watched(peer: Peer, handshaken?: boolean): Peer;
  /** Why the target is asked no further; absent while it answers. */
  readonly gaveUp: string | undefined;
}

/** Least deadline, in milliseconds, of the list request to a target that has answered nothing yet. */
const shortMs = 3_000;
/** Capabilities that have a list. */
const lists = ['tools', 'resources', 'prompts'] as const;

/** A handshake may take as many times as long as the slowest one before, since more is going on. */
const slower = 4;

/**
 * @param onGivenUp called once
 * @param startMs deadline of a handshake, until one took longer than a quarter of it
 */
export function watchForSilence(onGivenUp: () => void, startMs: number): SilenceWatch {
  /** Connections that have answered a handshake, the newest last. */
  const open: Peer[] = [];
  /** Requests so far, and their number when a time-out of a connection was last counted. */
  let requests = 0;
  const counted = new WeakMap<Peer, number>();
  const closed = new WeakSet<Peer>();
  let inARow = 0;
  /** Something other than a handshake was answered, on any connection. */
  let hasServed = false;
  let asking = false;
  let gaveUp: string | undefined;
  let slowestMs = 0;
  /** Handshakes in a row without an answer, and the number of requests when the last one was counted. */
  let unmet = 0;
  let countedUnmet = 0;

  function giveUp(why: string): void {
    gaveUp = why;
    onGivenUp();
  }

  function answered(): void {
    hasServed = true;
    inARow = 0;
  }

  function timedOut(peer: Peer, sent: number): void {
    // Requests that were open at the same time count as one time-out.
    if (sent <= (counted.get(peer) ?? 0)) return;
    counted.set(peer, requests);
    inARow += 1;
    const list = hasServed ? undefined : listOf(peer);
    const enough = list === undefined ? most - 1 : 1;
    if (inARow < enough || asking || gaveUp !== undefined) return;
    asking = true;
    void (list === undefined ? askPlainly(peer) : askForList(peer, list)).then((answer) => {
      asking = false;
      hasServed ||= answer.kind === 'response';
      // Any answer meanwhile, on any connection, keeps the run going.
      if (answer.kind !== 'timeout' || inARow < enough || (list !== undefined && hasServed)) return void (inARow = 0);
      giveUp(
        list === undefined
          ? `the server did not answer ${most} requests in a row in time, and was asked no further`
          : 'the server answered no request but the handshake in time, and was asked no further',
      );
    });
  }

  function notMet(sent: number): void {
    // Handshakes that were open at the same time count as one.
    if (gaveUp !== undefined || sent <= countedUnmet) return;
    countedUnmet = requests;
    unmet += 1;
    if (unmet < most) return;
    giveUp(`the server did not answer ${most} handshakes in a row in time, and was asked no further`);
  }

  /** Asks on a connection that is known to work, if there is one, and not on the silent one where another is open. */
  async function askPlainly(peer: Peer): Promise<Answer> {
    const known = open.findLast((one) => one.alive && one !== peer) ?? open.findLast((one) => one.alive);
    return known === undefined && peer.alive ? { kind: 'timeout' } : askSentinel(known ?? peer);
  }

  function askForList(peer: Peer, method: string): Promise<Answer> {
    return peer.request(method, undefined, { deadlineMs: Math.max(shortMs, slowestMs * slower) }).answer;
  }

  function note(peer: Peer, answer: Answer, sent: number): void {
    // Closing a connection ends every wait on it, as for the response to a subscription.
    if (closed.has(peer)) return;
    if (answer.kind === 'timeout') timedOut(peer, sent);
    else if (answer.kind === 'response') answered();
  }

  return {
    get gaveUp() {
      return gaveUp;
    },
    watched(peer, handshaken = false) {
      if (handshaken) {
        open.push(peer);
        void peer.opened.then((ms) => (slowestMs = Math.max(slowestMs, ms)));
      }
      const own: Pick<Peer, 'request' | 'handshake' | 'close'> = {
        request(method, params, options = {}): Pending {
          const pending = peer.request(method, params, options);
          const sent = (requests += 1);
          if (options.deviation === undefined) void pending.answer.then((answer) => note(peer, answer, sent));
          return pending;
        },
        async handshake(options = {}) {
          const sent = (requests += 1);
          const began = performance.now();
          const answer = await peer.handshake({ deadlineMs: Math.max(startMs, slowestMs * slower), ...options });
          if (answer.kind === 'response') {
            open.push(peer);
            unmet = 0;
            slowestMs = Math.max(slowestMs, performance.now() - began);
          }
          if (answer.kind === 'timeout' && options.deviation === undefined) {
            timedOut(peer, sent);
            notMet(sent);
          }
          return answer;
        },
        close() {
          closed.add(peer);
          const at = open.indexOf(peer);
          if (at !== -1) open.splice(at, 1);
          return peer.close();
        },
      };
      return Object.assign(Object.create(peer) as Peer, own);
    },
  };
}

/** A list request that the server has to answer, even if it ignores ping; absent where it declares no list. */
function listOf({ alive, serverCapabilities }: Peer): string | undefined {
  const declared = lists.find((name) => serverCapabilities?.[name] !== undefined);
  return alive && declared !== undefined ? `${declared}/list` : undefined;
}

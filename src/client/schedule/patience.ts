/**
 * When to give up a target that has stopped answering: after five time-outs in a row, on whatever connection; after the
 * first where it has answered nothing but handshakes, and lists nothing either. Counted
 * are sound requests; what is wrong on purpose may be left unanswered. An answer to a handshake proves nothing, since
 * a target may greet for ever and never do anything; one that greets nobody any more, though it still serves whoever it
 * knows, is given up after five handshakes that were waited for one after another. Before the last one a plain request
 * is sent that any server answers at once, so that a few slow tools in a row are no reason.
 */
import type { Answer, Peer, Pending } from '../peer/peer.ts';
import { askSentinel } from '../steps/support/step-scope.ts';

/** Time-outs in a row that a run bears, the plain request at the end included. */
const most = 5;

export interface Patience {
  /** The peer, whose answers are counted from now on. @param greeted it has answered a handshake already */
  watched(peer: Peer, greeted?: boolean): Peer;
  /** The target was given up. */
  readonly lost: boolean;
}

/** Milliseconds at least for the list that a target is asked for before it is given up because it never answered anything. */
const shortMs = 3_000;
/** Capabilities that have a list. */
const lists = ['tools', 'resources', 'prompts'] as const;

/** A target that took so long to answer a handshake may take so many times as long for another, when more is going on. */
const slower = 4;

/**
 * @param giveUp called once, when it is enough, with the reason
 * @param startMs deadline of a handshake, until some took longer than a quarter of it
 */
export function createPatience(giveUp: (why: string) => void, startMs: number): Patience {
  /** Connections that have answered a handshake, the newest last. */
  const open: Peer[] = [];
  /** Requests so far, and how many there were when a time-out of a connection was counted last. */
  let requests = 0;
  const counted = new WeakMap<Peer, number>();
  let inARow = 0;
  /** Something else than a handshake was answered, on whatever connection. */
  let hasServed = false;
  let asking = false;
  let lost = false;
  let slowestMs = 0;
  /** Handshakes in a row that were waited for in vain, and the number of requests when the last one was counted. */
  let unmet = 0;
  let countedUnmet = 0;

  function answered(): void {
    hasServed = true;
    inARow = 0;
  }

  function timedOut(peer: Peer, sent: number): void {
    // What was under way together costs one time-out, however many requests it was.
    if (sent <= (counted.get(peer) ?? 0)) return;
    counted.set(peer, requests);
    inARow += 1;
    const list = hasServed ? undefined : listOf(peer);
    const enough = list === undefined ? most - 1 : 1;
    if (inARow < enough || asking || lost) return;
    asking = true;
    void (list === undefined ? askPlainly(peer) : askForList(peer, list)).then((answer) => {
      asking = false;
      hasServed ||= answer.kind === 'response';
      // Whoever was answered meanwhile, on whatever connection, is not given up.
      if (answer.kind !== 'timeout' || inARow < enough || (list !== undefined && hasServed)) return void (inARow = 0);
      lost = true;
      giveUp(
        list === undefined
          ? `the server did not answer ${most} requests in a row in time, and was asked no further`
          : 'the server answered no request but the handshake in time, and was asked no further',
      );
    });
  }

  function notMet(sent: number): void {
    // Those that were under way together are one.
    if (lost || sent <= countedUnmet) return;
    countedUnmet = requests;
    unmet += 1;
    if (unmet < most) return;
    lost = true;
    giveUp(`the server did not answer ${most} handshakes in a row in time, and was asked no further`);
  }

  /** On a connection that is known to work, if there is one; rather not on the one that went silent. */
  async function askPlainly(peer: Peer): Promise<Answer> {
    const known = open.findLast((one) => one.alive && one !== peer) ?? open.findLast((one) => one.alive);
    return known === undefined && peer.alive ? { kind: 'timeout' } : askSentinel(known ?? peer);
  }

  function askForList(peer: Peer, method: string): Promise<Answer> {
    return peer.request(method, undefined, { deadlineMs: Math.max(shortMs, slowestMs * slower) }).answer;
  }

  function note(peer: Peer, answer: Answer, sent: number): void {
    if (answer.kind === 'timeout') timedOut(peer, sent);
    else if (answer.kind === 'response') answered();
  }

  return {
    get lost() {
      return lost;
    },
    watched(peer, greeted = false) {
      if (greeted) {
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
          const at = open.indexOf(peer);
          if (at !== -1) open.splice(at, 1);
          return peer.close();
        },
      };
      return Object.assign(Object.create(peer) as Peer, own);
    },
  };
}

/** The request that a server has to answer which declares a list, even where it leaves out ping; absent where it declares none. */
function listOf({ alive, serverCapabilities }: Peer): string | undefined {
  const declared = lists.find((name) => serverCapabilities?.[name] !== undefined);
  return alive && declared !== undefined ? `${declared}/list` : undefined;
}

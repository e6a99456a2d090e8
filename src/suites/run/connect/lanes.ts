/**
 * Connections for cases: one for each, or one that several share one after another, or a few for all that do not
 * interfere. The end of a server is not awaited; all have ended when `closeAll` resolves. A shared server that died is
 * started again.
 */
import pLimit from 'p-limit';
import type { Step, SuiteCase } from '../../language/model.ts';
import { jsonOf } from '../../language/json-text.ts';
import type { TraceWriter } from '../../../core/trace/recorder.ts';
import type { Redactor } from '../../../core/trace/redaction/redact.ts';
import { sharingKey } from './sharing.ts';
import type { Sharing } from './sharing.ts';
import { createConnection } from './connection.ts';
import { createCrew } from './crew.ts';
import type { Crew } from './crew.ts';
import type { Connection } from './connection.ts';
import { copyFixture } from './fixture.ts';
import type { FixtureCopy } from './fixture.ts';

/**
 * `fresh`: a server for each case; `file`, `suite`: one for all of a file, or of the run, with equal server blocks;
 * `auto`: one for those of the run that do not interfere, and more if they would wait for long.
 */
export type SessionMode = 'fresh' | 'auto' | 'file' | 'suite';

export interface Lane {
  connection: Connection;
  /** Folder with the files of the case. */
  fixture: string | undefined;
}

export interface LaneOptions {
  mode: SessionMode;
  /** Folder to copy for each case; undefined for none. */
  fixture: string | undefined;
  redactor: Redactor;
  /** Mark of the processes that are started. */
  mark: string;
  /** Decides about cases of the mode `auto`. */
  sharing: Sharing;
  writer?(order: number, name: string): TraceWriter;
}

export interface Lanes {
  /** Runs work on the connection of a case. Rejects with what the system says when its files cannot be copied. */
  use<T>(one: SuiteCase, order: number, work: (lane: Lane) => Promise<T>): Promise<T>;
  closeAll(): Promise<void>;
}

interface Shared {
  connection?: Connection;
  /** The copy that the server was started with, where its block names one. */
  copy?: FixtureCopy;
}

interface Turns {
  turn: ReturnType<typeof pLimit>;
  lane: Shared;
}

/** The recording of a shared connection is not kept, so its length does not matter. */
const unlimited = { maxEvents: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

export function createLanes(options: LaneOptions): Lanes {
  const { mode, fixture, redactor } = options;
  const endings = new Set<Promise<unknown>>();
  const inTurn = new Map<string, Turns>();
  const crews = new Map<string, Crew<Shared>>();

  function endLater(connection: Connection | undefined, copy: FixtureCopy | undefined): void {
    const ending = Promise.resolve(connection?.close())
      .then(() => copy?.remove())
      .catch(() => {})
      .finally(() => endings.delete(ending));
    endings.add(ending);
  }

  const connect = (one: SuiteCase, order: number, lasting: boolean): Connection =>
    createConnection({
      redactor,
      name: one.name,
      mark: options.mark,
      writer: options.writer?.(order, one.name),
      ...(lasting ? { limits: unlimited } : {}),
    });

  async function alone<T>(one: SuiteCase, order: number, work: (lane: Lane) => Promise<T>): Promise<T> {
    const copy = fixture === undefined || !usesFixture(one) ? undefined : await copyFixture(fixture);
    const connection = connect(one, order, false);
    try {
      return await work({ connection, fixture: copy?.path });
    } finally {
      endLater(connection, copy);
    }
  }

  async function together<T>(
    lane: Shared,
    one: SuiteCase,
    order: number,
    work: (lane: Lane) => Promise<T>,
  ): Promise<T> {
    if (lane.connection?.opened?.peer.alive !== true) {
      endLater(lane.connection, lane.copy);
      delete lane.copy;
      lane.connection = connect(one, order, true);
    }
    const named = JSON.stringify(one.server ?? {}).includes('{{fixture}}');
    if (named && fixture !== undefined) lane.copy ??= await copyFixture(fixture);
    const own = named || fixture === undefined || !usesFixture(one) ? undefined : await copyFixture(fixture);
    try {
      return await work({ connection: lane.connection, fixture: lane.copy?.path ?? own?.path });
    } finally {
      endLater(undefined, own);
    }
  }

  function turnsFor(key: string): Turns {
    const found = inTurn.get(key) ?? { turn: pLimit(1), lane: {} };
    inTurn.set(key, found);
    return found;
  }

  function crewFor(key: string): Crew<Shared> {
    const found =
      crews.get(key) ??
      createCrew<Shared>(
        () => ({}),
        ({ connection }) => connection?.startMs ?? new Promise(() => {}),
      );
    crews.set(key, found);
    return found;
  }

  return {
    async use(one, order, work) {
      const asked = one.session ?? mode;
      if (asked === 'fresh' || one.alone === true || one.server === undefined) return alone(one, order, work);
      if (asked === 'auto') {
        if (!(await options.sharing.shares(one))) return alone(one, order, work);
        return crewFor(sharingKey(one)).use((lane) => together(lane, one, order, work));
      }
      const { turn, lane } = turnsFor(JSON.stringify([asked === 'file' ? one.file : '', one.server, one.spec]));
      return turn(() => together(lane, one, order, work));
    },
    async closeAll() {
      const shared = [
        ...[...inTurn.values()].map(({ lane }) => lane),
        ...[...crews.values()].flatMap(({ members }) => members),
      ];
      for (const { connection, copy } of shared) endLater(connection, copy);
      while (endings.size > 0) await Promise.all(endings);
    },
  };
}

/** True if a part of a case can reach its files: a container has them mounted, everything else must name them. */
function usesFixture({ server, steps }: SuiteCase): boolean {
  return server?.docker !== undefined || jsonOf([server ?? null, steps.map(withoutFunctions)]).includes('{{fixture}}');
}

/** Requests and expectations of a step. */
function withoutFunctions({ act, demands, unchanged = [] }: Step): unknown {
  const inner = [...(act.kind === 'parallel' ? act.steps : []), ...unchanged].map(withoutFunctions);
  return [
    act.kind === 'parallel' ? null : act,
    demands.map(({ expectation, option }) => (expectation.ofCase === true ? null : option)),
    inner,
  ];
}

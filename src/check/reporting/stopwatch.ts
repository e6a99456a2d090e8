/** Measures a check while it runs: stages, connections, steps, and the times in which nothing happens. */
import { availableParallelism } from 'node:os';
import type { ConnectionTime, Spent, StageName, StepTime, Timings } from '../../core/model/timings.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import type { ProbeWatch } from '../../client/schedule/run-probes.ts';

export interface Stopwatch extends ProbeWatch {
  /** Ends the stage before. */
  stage(name: StageName): void;
  see(event: TraceEvent): void;
  /** Does a piece of judging. */
  judging<T>(work: () => T): T;
  /** Ends the last stage. */
  result(): Timings;
}

interface Connection extends ConnectionTime {
  first: number;
  last: number;
  /** Steps that are being carried out, and when they began. */
  active: Map<symbol, { step: string; began: number }>;
  /** The step that took most of the time since the last event. */
  busiest?: { step: string; ms: number };
}

/** Entries of each list: a check has some dozens of connections and hundreds of steps. */
const mostListed = 10;
const mostConnections = 200;
const mostNames = 5;
/** Shorter silences are how a request and its answer look. */
const idleMs = 100;

/** A thread has been measured: what came before the next check is none of it. */
let loaded = false;

/** Begins with the stage `loading`: the first of a thread began with the process, the next ones begin now. */
export function createStopwatch(): Stopwatch {
  const connections = new Map<string, Connection>();
  const stages: Timings['stages'] = [];
  const steps: StepTime[] = [];
  const idle: StepTime[] = [];
  let current: StageName = 'loading';
  const begun: Spent = loaded ? spent() : { wallMs: 0, cpuMs: 0 };
  let since = begun;
  loaded = true;
  let starts = 0;
  let more = 0;
  let judgedMs = 0;

  function endStage(): void {
    const now = spent();
    stages.push({ name: current, wallMs: round(now.wallMs - since.wallMs), cpuMs: round(now.cpuMs - since.cpuMs) });
    since = now;
  }

  function connectionOf(session: string): Connection | undefined {
    const known = connections.get(session);
    if (known) return known;
    if (connections.size >= mostConnections) {
      more += 1;
      return undefined;
    }
    const now = performance.now();
    const made: Connection = {
      session,
      wallMs: 0,
      messages: 0,
      probes: 0,
      rules: [],
      steps: [],
      first: now,
      last: now,
      active: new Map(),
    };
    connections.set(session, made);
    return made;
  }

  return {
    stage(name) {
      endStage();
      current = name;
    },
    see({ kind, session }) {
      if (kind === 'spawn') starts += 1;
      const connection = connectionOf(session);
      if (!connection) return;
      const now = performance.now();
      const quiet = now - connection.last;
      if (quiet >= idleMs) {
        for (const { step, began } of connection.active.values())
          busyWith(connection, step, now - Math.max(began, connection.last));
        keepLongest(idle, { session, step: connection.busiest?.step ?? current, wallMs: round(quiet) });
      }
      connection.last = now;
      delete connection.busiest;
      if (kind === 'message') connection.messages += 1;
    },
    judging(work) {
      const began = performance.now();
      try {
        return work();
      } finally {
        judgedMs += performance.now() - began;
      }
    },
    probe(session, rules) {
      const connection = connectionOf(session);
      if (!connection) return;
      connection.probes += 1;
      for (const rule of rules) keepName(connection.rules, rule);
    },
    step(session, step) {
      const began = performance.now();
      const connection = connectionOf(session);
      const key = Symbol(step);
      if (connection) keepName(connection.steps, step);
      connection?.active.set(key, { step, began });
      return () => {
        const now = performance.now();
        keepLongest(steps, { session, step, wallMs: round(now - began) });
        connection?.active.delete(key);
        if (connection) busyWith(connection, step, now - Math.max(began, connection.last));
      };
    },
    result() {
      endStage();
      const wallMs = since.wallMs - begun.wallMs;
      const cpuMs = since.cpuMs - begun.cpuMs;
      return {
        wallMs: round(wallMs),
        cpuMs: round(cpuMs),
        cores: availableParallelism(),
        starts,
        stages,
        judgedMs: round(judgedMs),
        connections: [...connections.values()].map(
          ({ session, messages, probes, rules, steps: done, first, last }) => ({
            session,
            wallMs: round(last - first),
            messages,
            probes,
            rules,
            steps: done,
          }),
        ),
        ...(more === 0 ? {} : { moreConnections: more }),
        steps,
        idle,
      };
    },
  };
}

function busyWith(connection: Connection, step: string, ms: number): void {
  if (ms > (connection.busiest?.ms ?? 0)) connection.busiest = { step, ms };
}

function keepName(list: string[], name: string): void {
  if (list.length < mostNames && !list.includes(name)) list.push(name);
}

/** Since the start of the process. */
function spent(): Spent {
  const { user, system } = process.cpuUsage();
  return { wallMs: process.uptime() * 1000, cpuMs: (user + system) / 1000 };
}

function keepLongest(list: StepTime[], one: StepTime): void {
  const place = list.findIndex(({ wallMs }) => wallMs < one.wallMs);
  if (place === -1) list.push(one);
  else list.splice(place, 0, one);
  if (list.length > mostListed) list.length = mostListed;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

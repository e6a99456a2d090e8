/**
 * Keeps outcomes of requests without a task member, for comparison with the same request as a task. Compares shapes,
 * not values: which members a result has, which kinds of content, whether it is an error.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject, asText, canonical, isObject, type JsonObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import { namesTasksExtension } from '../../model/tasks.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { declaredCapabilitiesOf, paramsOf } from '../values/rpc.ts';

interface PlainCall {
  outcomes: Set<string>;
  errorCodes: Set<unknown>;
  errors: Map<string, unknown>;
  failures: number;
  shapes: Set<string>;
  results: number;
  text?: string;
  events: number[];
}

const keptCalls = 1000;
/** Calls that are looked at: what a server does with tasks is compared with the first of them. */
const comparedCalls = 1000;
const tried: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list']);
const keptErrors = 10;
/** Members that make another kind of a result; what else a server adds to its results does not. */
const givenNames: ReadonlySet<string> = new Set(['content', 'structuredContent']);

/** Results of equal calls without a task, their comparison with a result, and the events. */
export interface Likeness {
  plain: { results: number; failures: number; errors: unknown[]; errorCodes: unknown[]; match?: string };
  events: readonly number[];
}

export interface PlainCalls {
  /** Takes in an answered client request that has no task member; of methods that are never tried with one nothing is kept. */
  observe(record: RpcRecord): void;
  /** Facts about the plain requests that are equal to this one but for its task member. */
  besides(record: RpcRecord): Record<string, unknown>;
  /** Comparison of a result of tasks/result with those of the plain calls. */
  likeness(record: RpcRecord, result: unknown): Likeness;
}

export function createPlainCalls(): PlainCalls {
  const known = new Map<string, PlainCall>();
  let compared = 0;

  return {
    observe(record) {
      if (compared >= comparedCalls || !tried.has(record.method) || isInterim(record.reply)) return;
      compared += 1;
      const key = keyOf(record);
      let call = known.get(key);
      if (!call) {
        if (known.size >= keptCalls) return;
        known.set(
          key,
          (call = {
            outcomes: new Set(),
            errorCodes: new Set(),
            errors: new BoundedMap(keptErrors),
            failures: 0,
            shapes: new Set(),
            results: 0,
            events: [],
          }),
        );
      }
      const reply = asObject(record.reply);
      call.outcomes.add(String(record.outcome));
      if (record.outcome === 'error') {
        call.errorCodes.add(asObject(reply?.error)?.code);
        call.errors.set(JSON.stringify(reply?.error), reply?.error);
        if (call.events.length < 20) append(call.events, record.events);
      }
      if (record.outcome !== 'result' || record.method !== 'tools/call') return;
      call.results += 1;
      if (asObject(reply?.result)?.isError === true) call.failures += 1;
      // Without tasks nothing comes through tasks/result that could be compared.
      if (!runsTasks(record.session.serverCapabilities)) return;
      call.shapes.add(shapeOfResult(reply?.result));
      call.text = textOf(reply?.result);
      if (call.events.length < 20) append(call.events, record.events);
    },
    besides(record) {
      const call = known.get(keyOf(record));
      return { plainOutcomes: call === undefined ? [] : [...call.outcomes] };
    },
    likeness(record, result) {
      const call = known.get(keyOf(record));
      const plain = {
        results: call?.results ?? 0,
        failures: call?.failures ?? 0,
        errors: [...(call?.errors.values() ?? [])],
        errorCodes: [...(call?.errorCodes ?? [])],
      };
      const match = call && call.results > 0 && result !== undefined ? matchOf(call, result) : undefined;
      return { plain: { ...plain, ...(match === undefined ? {} : { match }) }, events: call?.events ?? [] };
    },
  };
}

/** A server with tasks, be they those of 2025-11-25 or those of the extension. */
function runsTasks(capabilities: JsonObject | undefined): boolean {
  return capabilities?.tasks !== undefined || namesTasksExtension(capabilities);
}

/** A question of the stateless era, or a task of its extension: what the call gives comes later. */
function isInterim(reply: unknown): boolean {
  const type = asObject(asObject(reply)?.result)?.resultType;
  return type === 'input_required' || type === 'task';
}

function matchOf(call: PlainCall, result: unknown): string {
  if (call.text === textOf(result)) return 'equal';
  if (call.shapes.has(shapeOfResult(result))) return 'same-shape';
  return call.shapes.size > 1 ? 'varies' : 'other-shape';
}

/**
 * A server's offer may depend on the client's declarations in a session; where each request declares them, a task
 * request declares more.
 */
function keyOf({ message, method, session }: RpcRecord): string {
  const params = paramsOf(message);
  const declared = declaredCapabilitiesOf(message) === undefined ? session.clientCapabilities : undefined;
  return JSON.stringify([method, params?.name, params?.arguments ?? {}, params?.cursor, canonical(declared ?? {})]);
}

function textOf(result: unknown): string {
  if (!isObject(result)) return JSON.stringify(result);
  const { _meta, isError, resultType: _type, ...rest } = result;
  return JSON.stringify(Object.entries({ ...rest, isError: isError === true }).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shapeOfResult(result: unknown): string {
  if (!isObject(result)) return JSON.stringify(result);
  const members = Object.keys(result)
    .filter((name) => givenNames.has(name))
    .sort();
  const content = Array.isArray(result.content) ? (result.content as unknown[]) : [];
  const kinds = [...new Set(content.map((block) => asText(asObject(block)?.type)))].sort();
  return JSON.stringify([members, kinds, result.isError === true]);
}

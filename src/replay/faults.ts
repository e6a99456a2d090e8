/** Faults that a replay makes on purpose, to test clients: which request gets which. The same seed gives the same faults. */
import { usageError } from '../core/model/errors.ts';
import { parseDuration } from '../check/commands/support/flags/flag-values.ts';

export type FaultKind = 'latency' | 'error' | 'empty' | 'cut' | 'invalid' | 'disconnect' | 'status' | 'tools';

export interface FaultRule {
  kind: FaultKind;
  /** Of `latency` milliseconds, of `status` the status, of `tools` the requests after which the tools change. */
  value: number;
  /** Share of the requests that get it, 0 to 1. */
  rate: number;
  tool?: string;
  method?: string;
}

const kinds: readonly FaultKind[] = ['latency', 'error', 'empty', 'cut', 'invalid', 'disconnect', 'status', 'tools'];
const remedy = `Faults are ${kinds.join(', ')}, as in --fault latency=300ms,rate=0.1,tool=search.`;

/** @throws McpcError usage for what is no fault */
export function parseFault(text: string): FaultRule {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const [kind = '', value = ''] = first.split('=');
  if (!(kinds as readonly string[]).includes(kind))
    throw usageError(`--fault ${text}: there is no fault "${kind}".`, remedy);
  const rule: FaultRule = { kind: kind as FaultKind, value: valueOf(kind as FaultKind, value, text), rate: 1 };
  for (const part of others) {
    const [name = '', given = ''] = part.split('=');
    if (name === 'rate') rule.rate = numberIn(given, text, 0, 1);
    else if (name === 'tool' || name === 'method') rule[name] = given;
    else throw usageError(`--fault ${text}: there is no option "${name}".`, 'Options are rate, tool and method.');
  }
  return rule;
}

function valueOf(kind: FaultKind, value: string, text: string): number {
  if (kind === 'latency') return parseDuration(value, 'fault');
  if (kind === 'status') return numberIn(value, text, 400, 599);
  if (kind === 'tools') return numberIn(value, text, 0, 1_000_000);
  if (value !== '') throw usageError(`--fault ${text}: ${kind} takes no value.`, remedy);
  return 0;
}

function numberIn(text: string, whole: string, least: number, most: number): number {
  const value = Number(text);
  if (text === '' || !(value >= least && value <= most))
    throw usageError(`--fault ${whole}: "${text}" is no number from ${least} to ${most}.`, remedy);
  return value;
}

export interface Faults {
  /** The faults of one request, in the order in which they were named. */
  of(method: string, params: unknown): FaultRule[];
  /** Counts a fault that belongs to no request. */
  note(kind: FaultKind): void;
  /** The number of faults of each kind. */
  readonly made: Readonly<Record<string, number>>;
}

export function createFaults(rules: readonly FaultRule[], seed: number): Faults {
  const made: Record<string, number> = {};
  let state = seed >>> 0;
  /** Of mulberry32, from 0 to below 1. */
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const note = (kind: FaultKind): void => void (made[kind] = (made[kind] ?? 0) + 1);
  return {
    made,
    note,
    of(method, params) {
      const tool = method === 'tools/call' ? (params as { name?: unknown } | undefined)?.name : undefined;
      return rules.filter((rule) => {
        if (rule.kind === 'tools' || method === 'initialize' || method === 'server/discover') return false;
        if (rule.method !== undefined && rule.method !== method) return false;
        if (rule.tool !== undefined && rule.tool !== tool) return false;
        if (rule.rate < 1 && random() >= rule.rate) return false;
        note(rule.kind);
        return true;
      });
    },
  };
}

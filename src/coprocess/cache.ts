/**
 * Remembers the results of calls of tools that say that they only read, for as long as the coprocess lives. A call of
 * any other tool may have changed what they read, so that it empties the memory.
 */
import { asObject, canonical } from '../core/model/json.ts';
import { askList } from '../live/lists.ts';
import type { Outcome } from '../live/outcome.ts';
import type { Source } from './sources/source.ts';

export type CacheMode = 'off' | 'read' | 'write' | 'readwrite';

/** The source with a memory before it. */
export interface Cache {
  setMode(mode: CacheMode): void;
  /** A call, answered from memory where that is allowed and it is there. */
  call(source: Source, params: Record<string, unknown>): Promise<Outcome>;
  /** Remembered results are no longer valid. */
  clear(): void;
}

const mostEntries = 1_000;
const mostCharacters = 16 * 1024 * 1024;

export function createCache(): Cache {
  const entries = new Map<string, Outcome>();
  let mode: CacheMode = 'off';
  let characters = 0;
  let readers: ReadonlySet<string> | undefined;

  function forget(): void {
    entries.clear();
    characters = 0;
  }

  function keep(key: string, outcome: Outcome): void {
    if (outcome.kind !== 'result' || asObject(outcome.result)?.['isError'] === true) return;
    const length = key.length + outcome.text().length;
    if (length > mostCharacters) return;
    if (entries.size >= mostEntries || characters + length > mostCharacters) forget();
    entries.set(key, outcome);
    characters += length;
  }

  return {
    setMode(value) {
      mode = value;
      if (mode === 'off') forget();
    },
    async call(source, params) {
      const ask = (): Promise<Outcome> => source.ask('tools/call', params);
      if (mode === 'off') return ask();
      readers ??= await readOnlyTools(source);
      if (readers?.has(params['name'] as string) !== true) {
        forget();
        return ask();
      }
      const key = canonical(params);
      const found = mode === 'write' ? undefined : entries.get(key);
      if (found !== undefined) return found;
      const outcome = await ask();
      if (mode !== 'read') keep(key, outcome);
      return outcome;
    },
    clear() {
      readers = undefined;
      forget();
    },
  };
}

/** Names of the tools with the annotation readOnlyHint; undefined where the server does not list them. */
async function readOnlyTools(source: Source): Promise<ReadonlySet<string> | undefined> {
  const outcome = await askList('tools', (method, params) => source.ask(method, params));
  const tools = outcome.kind === 'result' ? asObject(outcome.result)?.['tools'] : undefined;
  if (!Array.isArray(tools)) return undefined;
  const names = tools.flatMap((tool: unknown): string[] => {
    const { name, annotations } = asObject(tool) ?? {};
    return typeof name === 'string' && asObject(annotations)?.['readOnlyHint'] === true ? [name] : [];
  });
  return new Set(names);
}

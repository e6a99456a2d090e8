/** A client with one command for each act: the acts of a start are done one after the other, each by a process. */
import { asText } from '../../../core/model/json.ts';
import type { ClientAct } from '../../../core/model/rules/situation.ts';
import { startClient } from '../client-process.ts';
import type { ClientDriver, ClientEnd, RunningClient, Start } from '../driver.ts';
import { filledIn, nameOfAct } from '../task.ts';
import { placeholdersIn, type DriverFile } from './read-driver.ts';

/** Pages of one list that are asked for. */
const mostPages = 50;

export function fileDriver({ cwd, env, acts }: DriverFile): ClientDriver {
  return {
    begin: (start) => begin(start, { cwd, env, acts }),
    lacks(act) {
      const name = nameOfAct(act);
      if (name === 'call' && act.tool === undefined) return 'a command calls the tool that it is given';
      return acts.has(name) || name === 'end' ? undefined : `the driver has no command ${name}`;
    },
    parallel: true,
    cursorsByCommand: true,
  };
}

async function begin(start: Start, { cwd, env, acts }: DriverFile): Promise<RunningClient> {
  const due = start.task.acts.filter((act) => acts.has(nameOfAct(act)));
  let why: string | undefined;
  let tail: string[] = [];
  let current: RunningClient | undefined;
  const began = withResolvers();

  const run = async (act: ClientAct, cursor: string | undefined): Promise<ClientEnd> => {
    const words = acts.get(nameOfAct(act))!;
    const places = { ...start.places, ...placesOf(act, start), ...(cursor === undefined ? {} : { cursor }) };
    const server = Object.keys(start.places);
    const named = words.some((word) => placeholdersIn(word).some((name) => server.includes(name)));
    const filled = filledIn(cursor === undefined ? withoutCursor(words) : words, places, []);
    current = await startClient(
      { words: named ? filled : [...filled, ...start.last], cwd, env: { ...start.env, ...env } },
      start.record,
      start.print,
      () => start.gone(),
    );
    began.resolve();
    if (why !== undefined) current.end(why);
    const end = await current.exited;
    tail = [...tail, ...current.tail()].slice(-20);
    return end;
  };

  /** @returns the end of the first process that did not end well, or that of the last */
  async function work(): Promise<ClientEnd> {
    let last: ClientEnd = { code: 0, signal: null };
    let bad: ClientEnd | undefined;
    for (const act of due) {
      const paged = acts.get(nameOfAct(act))!.some((word) => placeholdersIn(word).includes('cursor'));
      let cursor: string | undefined;
      for (let page = 0; page < mostPages && why === undefined; page += 1) {
        last = await run(act, cursor);
        if (last.code !== 0) bad ??= last;
        cursor = paged && last.code === 0 ? start.nextCursor() : undefined;
        if (cursor === undefined) break;
      }
    }
    return { ...(why === undefined ? (bad ?? last) : { ...last, ended: why }), left: 'by the last of its commands' };
  }

  const working = work();
  // The first process shows whether the command can be started at all; later ones may fail so.
  await Promise.race([began.promise, working]);
  const exited = working.catch((error: unknown): ClientEnd => {
    tail.push(error instanceof Error ? error.message : String(error));
    start.print(tail.at(-1)!);
    return { code: 127, signal: null };
  });
  return {
    exited,
    end(reason) {
      why ??= reason;
      current?.end(reason);
    },
    tail: () => [...tail],
  };
}

function placesOf(
  { tool, name, uri, level, arguments: given }: ClientAct,
  { official }: Start,
): Record<string, string> {
  const { client_id: clientId, client_secret: clientSecret } = official.context ?? {};
  return {
    tool: tool ?? '',
    arguments: JSON.stringify(given ?? {}),
    name: name ?? '',
    uri: uri ?? '',
    level: level ?? '',
    clientId: asText(clientId ?? ''),
    clientSecret: asText(clientSecret ?? ''),
  };
}

/** The command of a first page: without the word for the cursor, and the option that it belongs to. */
function withoutCursor(words: readonly string[]): string[] {
  const isCursor = (word: string | undefined): boolean => word !== undefined && placeholdersIn(word).includes('cursor');
  return words.filter((word, at) => {
    const option = word.startsWith('-') && !word.includes('{{') && words[at + 1] === '{{cursor}}';
    return !isCursor(word) && !option;
  });
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

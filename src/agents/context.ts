/** What the tools of the server for agents share. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { Refused, type Access } from './access.ts';
import { failed, quoted, quoteNotice } from './answer.ts';
import type { KeptRuns } from './kept-runs.ts';
import { runCommand, type Finished } from './run-command.ts';
import { oneLine, shorten } from '../report/text.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface Context {
  access: Access;
  runs: KeptRuns;
  /** Most bytes of a result. */
  maxBytes: number;
  /** The files that were generated last, by the words that name their server. */
  generated: Map<string, { name: string; text: string }[]>;
}

/** What a tool does, with refusals and failures of mcpc as results that say them. */
export function tool<Args>(
  work: (args: Args, extra: Extra) => Promise<CallToolResult> | CallToolResult,
): (args: Args, extra: Extra) => Promise<CallToolResult> {
  return async (args, extra) => {
    try {
      return await work(args, extra);
    } catch (error) {
      if (error instanceof Refused) return failed(error.message);
      throw error;
    }
  };
}

/** Runs a command of mcpc, its lines on stderr as progress, until it ends or the client cancels. */
export async function command({ access }: Context, words: readonly string[], extra: Extra): Promise<Finished> {
  const token = extra._meta?.progressToken;
  let progress = 0;
  return runCommand(words, {
    cwd: access.allowed.project,
    signal: extra.signal,
    onLine:
      token === undefined
        ? undefined
        : (line) => {
            progress += 1;
            const params = { progressToken: token, progress, message: shorten(oneLine(line), 200) };
            // A client that is gone needs no progress.
            void extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
          },
  });
}

/** The JSON that a command printed. @throws Refused with what it said instead, where it printed none */
export function jsonOf<T>(finished: Finished): T {
  try {
    return JSON.parse(finished.stdout) as T;
  } catch {
    throw refusalOf(finished);
  }
}

/** What a command that failed said on stderr; some of it may be the tested server's own words. */
export function refusalOf({ code, stderr }: Finished): Refused {
  const said = stderr.filter((line) => line.trim() !== '').map(quoted);
  if (said.length === 0) return new Refused(`mcpc ended with exit code ${code}, and said nothing.`);
  return new Refused([`mcpc ended with exit code ${code}.`, quoteNotice, ...said].join('\n'));
}

/** The server under test: started with the first request for it, and asked until it is gone. */
import { McpcError } from '../../core/model/errors.ts';
import type { LiveOptions, LiveSession } from '../../live/live-session.ts';
import type { Outcome } from '../../live/outcome.ts';
import type { Source } from './source.ts';

export interface LiveSource extends Source {
  /** Command lines of processes that the server left running; they have been ended. */
  close(): Promise<string[]>;
  /** The session, once the server has been reached. */
  readonly session: LiveSession | undefined;
}

/**
 * @param options how the server is reached; nothing is started yet
 * @param timeoutMs of each request
 */
export function createLiveSource(options: LiveOptions, timeoutMs: number): LiveSource {
  let opening: Promise<LiveSession | { failed: string }> | undefined;
  let session: LiveSession | undefined;

  const open = (): Promise<LiveSession | { failed: string }> =>
    (opening ??= (async () => {
      const { openLive } = await import('../../live/live-session.ts');
      try {
        return (session = await openLive(options));
      } catch (error) {
        // An unreachable server is not tried again: the caller decides if it starts again.
        if (error instanceof McpcError && error.stage === 'target') return { failed: error.message };
        throw error;
      }
    })());

  const use = async (work: (session: LiveSession) => Promise<Outcome>): Promise<Outcome> => {
    const opened = await open();
    return 'failed' in opened ? { kind: 'gone', words: opened.failed } : work(opened);
  };

  return {
    get session() {
      return session;
    },
    handshake: () =>
      use(async ({ handshake, over }) => (over === undefined ? handshake : { kind: 'gone', words: over })),
    ask: (method, params) => use((opened) => opened.ask(method, params, { timeoutMs, signal: options.signal })),
    async close() {
      const opened = await opening?.catch(() => undefined);
      return opened === undefined || 'failed' in opened ? [] : opened.close();
    },
  };
}

/** The use case `exec --connection-server`: one coprocess from its start to its end. */
import { handshakeResult } from './handshake.ts';
import type { CoprocessOptions } from './options.ts';
import { serve } from './serve.ts';
import type { Upstream } from './upstream.ts';

/** Resolves when the coprocess is over and the server has ended. */
export async function runCoprocess(options: CoprocessOptions): Promise<void> {
  let upstream: Promise<Upstream> | undefined;
  // Modules that talk to a server are loaded with the first request for it: a handshake is answered at once.
  const load = (): Promise<Upstream> =>
    (upstream ??= import('./upstream.ts').then(({ createUpstream }) => createUpstream(options)));
  // A place that takes no file is reported before anything is answered.
  if (options.traceFile !== undefined) await load();
  try {
    await serve({
      stdin: options.stdin,
      write: options.write,
      answer: async (frame) =>
        frame.method === 'coprocess/handshake'
          ? handshakeResult(frame.params, options.toolVersion)
          : (await load()).answer(frame),
      onFault: options.onFault,
      signal: options.signal,
    });
  } finally {
    await upstream?.then(({ end }) => end());
  }
}

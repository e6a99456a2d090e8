/** Connects to a target for a look at it: starts what has to be started, and closes and stops everything on every path. */
import { stopIfInterrupted } from '../core/model/errors.ts';
import type { Redactor } from '../core/trace/redaction/redact.ts';
import { speaksOther } from '../client/reach/detect.ts';
import { startServed } from './target/serve.ts';
import { createRecorder } from '../core/trace/recorder.ts';
import type { CheckOptions } from './check-options.ts';
import { forwardStderr, withoutSecrets } from './check.ts';
import { connect, timingOf } from './connect.ts';
import { withLogin } from './login/with-login.ts';
import { redactorOf } from './run-redactor.ts';

type Detected = Awaited<ReturnType<typeof connect>>['detected'];
type Options = Parameters<typeof connect>[0] &
  Parameters<typeof redactorOf>[0] &
  Parameters<typeof timingOf>[0] &
  Pick<CheckOptions, 'serve' | 'target' | 'signal' | 'onStderr' | 'login' | 'onWait'>;

/**
 * @param look work with the connected target; it must close everything that it opens
 * @throws McpcError target when it cannot be reached or does not speak MCP, interrupted once the signal was given;
 * errors contain no secret
 */
export async function withTarget<T>(
  options: Options,
  look: (detected: Detected, redactor: Redactor) => Promise<T>,
): Promise<T> {
  const redactor = redactorOf(options);
  const recorder = createRecorder({ keep: false, redactor });
  if (options.onStderr) forwardStderr(recorder, options.onStderr);
  const served =
    options.serve &&
    (await startServed(options.serve, options.target, recorder.sink, timingOf(options), options.signal));
  try {
    const session = await connect(
      await withLogin(options, { recorder, redactor, timing: timingOf(options) }),
      recorder,
    );
    try {
      if (session.detected.otherRevision !== undefined) throw speaksOther(session.detected);
      return await look(session.detected, redactor);
    } finally {
      await session.closeAll();
    }
  } catch (error) {
    stopIfInterrupted(options.signal);
    throw withoutSecrets(error, redactor);
  } finally {
    await served?.stop();
  }
}

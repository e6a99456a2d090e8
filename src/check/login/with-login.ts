/** Where in a check it logs in, and what of the target changes by it. */
import type { Recorder } from '../../core/trace/recorder.ts';
import type { Redactor } from '../../core/trace/redaction/redact.ts';
import { testTokenPrefix } from '../../core/model/made-up-tokens.ts';
import { usageError } from '../../core/model/errors.ts';
import type { Target } from '../../client/target/target.ts';
import type { Timing } from '../../client/target/timing.ts';
import type { LoginOptions } from './login-options.ts';

export interface LoggedInOptions {
  target: Target;
  login?: LoginOptions;
  signal?: AbortSignal;
  onWait?: (line: string) => void;
}

/**
 * The options with a token in each request, where a login is asked for.
 *
 * @throws McpcError target where nobody gives a token
 */
export async function withLogin<O extends LoggedInOptions>(
  options: O,
  { recorder, redactor, timing }: { recorder: Recorder; redactor: Redactor; timing: Timing },
): Promise<O> {
  const { login, target } = options;
  if (login === undefined) return { ...options, target: withGoodToken(target) };
  if (target.kind === 'stdio') throw usageError('--oauth needs a server over HTTP.', 'Name the target with --url.');
  const { logIn } = await import('./log-in.ts');
  const guarded = await logIn(target, login, {
    sink: recorder.sink,
    learn: (secret) => redactor.learn(secret),
    tell: (line) => options.onWait?.(line),
    timeoutMs: timing.startMs,
    signal: options.signal,
  });
  return { ...options, target: withGoodToken(guarded) };
}

/** Where another token is to be shown, the good one is too: only beside it the difference means something. */
function withGoodToken(target: Target): Target {
  if (target.kind === 'stdio' || target.testTokens === undefined) return target;
  const given = target.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const token = /^bearer (\S+)$/i.exec(given ?? '')?.[1];
  const name = `${testTokenPrefix}good`;
  return token === undefined || Object.hasOwn(target.testTokens, name)
    ? target
    : { ...target, testTokens: { ...target.testTokens, [name]: token } };
}

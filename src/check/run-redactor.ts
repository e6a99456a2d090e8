/** The redactor of a run, which knows from the start what the user gave: values, addresses, command lines. */
import { isSecretVariable } from '../core/trace/redaction/secret-names.ts';
import { createRedactor, type Redactor } from '../core/trace/redaction/redact.ts';
import { textsOfAnswers } from '../client/offers/hinted.ts';
import type { CheckOptions } from './check-options.ts';

/** @param options the target, the server that is started for it, and the values that came from secrets */
export function redactorOf({
  target,
  serve,
  secrets,
  keepSecrets,
  hints,
}: Pick<CheckOptions, 'target' | 'serve' | 'secrets' | 'keepSecrets' | 'hints'>): Redactor {
  const started = target.kind === 'stdio' ? target : serve;
  return createRedactor({
    secrets: [
      ...secrets,
      ...(target.kind === 'stdio' ? [] : target.headers.map(([, value]) => value)),
      ...secretsOfEnvironment(started?.env ?? {}),
    ],
    addresses: target.kind === 'stdio' ? [] : [target.url],
    commands: started === undefined ? [] : [[started.command, ...started.args]],
    answers: textsOfAnswers(hints),
    keepSecrets: keepSecrets === true,
  });
}

/** Values of variables that a started server inherits and whose names say secret: it may print them. */
export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value !== '{{port}}' && isSecretVariable(name) ? [value] : [],
  );
}

/** A text about a command line of mcpc, such as an error about it, without the secrets of that line. */
export function textWithoutSecrets(text: string, words: readonly string[]): string {
  return createRedactor({ commands: [words], addresses: words.filter((word) => /^https?:\/\//i.test(word)) }).text(
    text,
  );
}

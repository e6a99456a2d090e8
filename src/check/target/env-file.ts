/** Environment of a target: files in the form of .env, and K=V texts. It changes no environment itself. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { usageError } from '../../core/model/errors.ts';

/** @throws McpcError usage when it cannot be read */
export function readEnvFile(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the environment file ${file}: ${(error as Error).message}`, 'Check the path.', error);
  }
  return parseEnv(text) as Record<string, string>;
}

/** @throws McpcError usage for a text that is not NAME=VALUE */
export function parseEnvPair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`--env takes NAME=VALUE, not "${text}".`, 'For example --env LOG_LEVEL=debug.');
  return [text.slice(0, at), text.slice(at + 1)];
}

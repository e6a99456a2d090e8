/**
 * The user's values that are secret from the start: credentials and query of an address, words of a command line. It
 * reads what the user wrote, and nothing of a target.
 */
import { replaceCredentials } from './credential-scan.ts';
import { isSecretFlag, isSecretValue } from './secret-names.ts';

interface GivenSecret {
  value: string;
  /** Characters at its beginning that are none of it: the name of a parameter whose value is short. */
  keep: number;
}

/** User, password, all values of the query, and the parts of the path that are long and random. */
export function secretsOfAddress(address: string): GivenSecret[] {
  // A port that is chosen later says nothing of the rest.
  const text = address.replace(/:\{\{\s{0,9}port\s{0,9}\}\}/, '');
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const found = new Set<string>();
  const pairs: GivenSecret[] = [];
  for (const part of [url.username, url.password]) for (const form of [part, decoded(part)]) found.add(form);
  if (url.username !== '' || url.password !== '')
    found.add(Buffer.from(`${decoded(url.username)}:${decoded(url.password)}`).toString('base64'));
  for (const [index, pair] of url.search.slice(1).split('&').entries()) {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '' || value.includes('${')) continue;
    // A value that may occur in any text is hidden after its name.
    if (!isSecretValue(decoded(value))) pairs.push({ value: `${index === 0 ? '?' : '&'}${pair}`, keep: at + 2 });
    for (const form of [value, decoded(value), decoded(value.replaceAll('+', ' '))]) found.add(form);
  }
  for (const segment of url.pathname.split('/'))
    if (isRandom(decoded(segment))) for (const form of [segment, decoded(segment)]) found.add(form);
  return [...pairs, ...secretValues(found)];
}

/** Values behind flags and names that say secret, and credentials within words: `--api-key X`, `--token=X`, `KEY=X`, `Authorization: …`. */
export function secretsOfCommand(words: readonly string[]): GivenSecret[] {
  const found = new Set<string>();
  const keep = (value: string): string => {
    found.add(value);
    return value;
  };
  for (const [index, word] of words.entries()) {
    if (isSecretWord(words, index)) found.add(word);
    const value = secretPart(word);
    if (value !== undefined) found.add(value.replace(/^(["'])(.*)\1$/s, '$2'));
    replaceCredentials(word, { mask: keep, sessionId: keep });
    for (const address of word.match(/[A-Za-z][A-Za-z0-9+.-]{0,30}:\/\/\S+/g) ?? []) {
      // Only what no other reader of the command line would need: a folder in an address is not hidden.
      if (URL.canParse(address))
        for (const part of [new URL(address).username, new URL(address).password]) found.add(decoded(part));
    }
  }
  return secretValues(found);
}

/** True for the word behind a flag that says secret. */
export function isSecretWord(words: readonly unknown[], index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  return (
    typeof before === 'string' &&
    typeof word === 'string' &&
    /^--?[\w-]{1,200}$/.test(before) &&
    isSecretFlag(before.replace(/^-+/, '')) &&
    !word.startsWith('-')
  );
}

/** The text after the `=` of `--token=X` and `API_KEY=X`. */
export function secretPart(word: string): string | undefined {
  const [, name, value] = /^-{0,2}([\w.-]{1,200})=([^]+)$/.exec(word) ?? [];
  return name !== undefined && isSecretFlag(name) ? value : undefined;
}

function secretValues(found: Iterable<string>): GivenSecret[] {
  // The name of a variable that is put in later is none.
  return [...found]
    .filter((value) => isSecretValue(value) && !value.includes('${'))
    .map((value) => ({ value, keep: 0 }));
}

/** True for texts that are unlikely names: at least 16 characters with letters and digits mixed. */
function isRandom(segment: string): boolean {
  if (segment.length < 16) return false;
  // Words, versions and dates, as in `mcp-server-2025-11-25`.
  const parts = segment.split(/[-_.~]/);
  if (parts.every((part) => /^(?:v?\d{0,4}|[A-Za-z]?[a-z]{0,19}|[A-Z]{0,12})$/.test(part))) return false;
  const digits = segment.replace(/[^0-9]/g, '').length;
  const letters = segment.replace(/[^A-Za-z]/g, '').length;
  return (
    (digits >= 2 && letters >= 2) ||
    digits >= 16 ||
    (letters >= 16 && /[a-z][A-Z]/.test(segment) && /[A-Z]{2}/.test(segment))
  );
}

/** The text behind percent-escapes; as it is where they are none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Finds credentials in free text by their form or by the text before them, and replaces them. The work is proportional
 * to the length of any text: where a regular expression would start again at every character, the text is searched for
 * `://` and `eyJ` instead. It is independent of the source of the text.
 */
import { isSecretMember, isSecretVariable } from './secret-names.ts';

/** Replacement of a credential. */
export interface Replacement {
  mask(value: string): string;
  /** Ids of sessions in addresses. */
  sessionId(value: string): string;
}

/** Parameters in query strings and fragments. */
const urlSecret =
  /([?&;#](?:access_token|refresh_token|id_token|auth_token|token|api_?key|key|code|code_verifier|client_secret|secret|password|passwd|auth|sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=)([^&\s#"'<>{}\\]+)/gi;
const urlSession = /([?&;#](?:mcp-?)?session_?-?id=)([^&\s#"'<>{}\\]+)/gi;
/** HTTP credentials in running text; a digit distinguishes them from words such as "authentication". */
const httpCredentials = /(\b(?:bearer|basic)\s+)(?![\w-]+\s*=\s*\\?")(?=[a-z\-._~+/]*\d)([a-z0-9\-._~+/]{8,}=*)/gi;
/** `"api_key": "…"`, `API_KEY=…`, `x-api-key: …` in text that is no parsed JSON. The last group is the value. */
const quotedPair = /((\\?["'])([\w-]{3,40})\2\s*:\s*\\?["'])([^"'\\\s][^"'\\]*)/g;
const assignment = /(?<![?&;#\w-])(()([A-Za-z][\w-]{2,60})=["']?)([^\s"',;&\\]+)/g;
const headerLine =
  /(()\b((?:proxy-)?authorization|cookie|set-cookie|x-api-key|api-key|x-auth-token)\s*:\s*(?:(?:bearer|basic)\s+)?)([^\s"',;][^\r\n"',;]*)/gi;

/** Tokens that show by their form what they are; JSON Web Tokens are searched for by `replaceWebTokens`. */
const knownTokens = [
  /\bsk-(?:ant-|proj-)?[\w-]{16,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bhf_[A-Za-z0-9]{30,}\b/g,
  /(?<=-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[\s\S]+?(?=-----END|$)/g,
];

/** A quick look that most text does not pass: only then the patterns above are tried. `hasSign` asks the same, mostly without it. */
export const anySign =
  /[=@]|eyJ|\bsk[-_]|gh[pousr]_|github_pat|glpat-|xox|AKIA|ASIA|AIza|npm_|rk_|hf_|PRIVATE KEY|bearer|basic|["']\s*:|authorization|cookie|api-key|auth-token/i;

/** The first three characters of all those signs except the single ones, two of them with other case. */
const signBeginnings = [
  'eyJ',
  'sk-',
  'sk_',
  'ghp',
  'gho',
  'ghu',
  'ghs',
  'ghr',
  'git',
  'glp',
  'xox',
  'aki',
  'asi',
  'aiz',
  'npm',
  'rk_',
  'hf_',
  'pri',
  'bea',
  'bas',
  'aut',
  'coo',
  'api',
];
/** By the last five bits of three characters, which letters of both cases have in common: whether a sign may begin with them. */
const mayBegin = new Uint8Array(1 << 15);
for (const beginning of signBeginnings)
  mayBegin[[...beginning].reduce((bits, character) => (bits << 5) | (character.charCodeAt(0) & 31), 0)] = 1;

/**
 * True if the text has a sign; reads each character of a text without one once, where a regular expression needs ten.
 */
export function hasSign(text: string): boolean {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3d || code === 0x40) return true;
    bits = ((bits << 5) | (code & 31)) & 0x7fff;
    if (mayBegin[bits] === 1 || code === 0x22 || code === 0x27) return anySign.test(text);
  }
  return false;
}

/** The same for tokens alone. */
const tokenSign = /eyJ|sk[-_]|gh[pousr]_|github_pat|glpat-|xox|AKIA|ASIA|AIza|npm_|rk_|hf_|PRIVATE KEY/;

/** The text with every credential replaced that its form or the words around it give away. */
export function replaceCredentials(text: string, { mask, sessionId }: Replacement): string {
  if (text.length < 8 || !hasSign(text)) return text;
  const second = (_all: string, before: string, value: string): string => before + mask(value);
  // Pairs in text count by the names on their left side; quoted ones by the rule for members, so that a text and its
  // structured form stay equal.
  const pair = (all: string, before: string, quote: string, name: string, value: string): string =>
    (quote === '' ? isSecretVariable(name) : isSecretMember(name)) ? before + mask(value) : all;
  let out = text
    .replace(urlSession, (_all, before: string, value: string) => before + sessionId(value))
    .replace(urlSecret, second);
  out = replaceUserInfo(out, mask);
  out = out
    .replace(headerLine, pair)
    .replace(httpCredentials, second)
    .replace(quotedPair, pair)
    .replace(assignment, pair);
  return replaceTokens(out, mask);
}

/** The text with every token replaced that shows by its form what it is. */
export function replaceTokens(text: string, mask: (value: string) => string): string {
  if (!tokenSign.test(text)) return text;
  let out = replaceWebTokens(text, mask);
  for (const form of knownTokens) out = out.replace(form, (value) => mask(value));
  return out;
}

/** Values of parameters that hold credentials, in the query of an address. */
export function replaceQuerySecrets(text: string, mask: (value: string) => string): string {
  return text.replace(urlSecret, (_all, before: string, value: string) => before + mask(value));
}

/** Maximum length of a scheme before `://`; longer ones do not count. */
const longestScheme = 64;
/** A user name that is as long as this, without a password, is a token. */
const tokenLength = 16;

/** Passwords in addresses, `scheme://user:password@host`, and long user names without one. */
function replaceUserInfo(text: string, mask: (value: string) => string): string {
  let out = '';
  let copied = 0;
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    if (!endsScheme(text, at)) continue;
    const start = at + 3;
    // A slash ends it, so that no character is looked at for two addresses.
    let end = start;
    let colon = -1;
    for (; end < text.length && !endsAuthority(text.charCodeAt(end)); end += 1)
      if (colon === -1 && text.charCodeAt(end) === 0x3a) colon = end;
    if (text.charCodeAt(end) !== 0x40) continue;
    const from = colon === -1 ? start : colon + 1;
    if (from === end || (colon === -1 && end - start < tokenLength)) continue;
    out += text.slice(copied, from) + mask(text.slice(from, end));
    copied = end;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** True when the characters before a position end with a scheme: a letter, and letters, digits, `+`, `.`, `-` behind it. */
function endsScheme(text: string, end: number): boolean {
  for (let at = end - 1; at >= 0 && at >= end - longestScheme; at -= 1) {
    const code = text.charCodeAt(at) | 0x20;
    if (code >= 0x61 && code <= 0x7a) return true;
    if (!/[0-9+.-]/.test(text[at]!)) return false;
  }
  return false;
}

/** Blanks, quotation marks, `/`, `@`, `<`, `>`, backslash. */
function endsAuthority(code: number): boolean {
  return (
    code <= 0x20 ||
    code === 0x22 ||
    code === 0x27 ||
    code === 0x2f ||
    code === 0x3c ||
    code === 0x3e ||
    code === 0x40 ||
    code === 0x5c ||
    (code >= 0x80 && /\s/.test(String.fromCharCode(code)))
  );
}

/** JSON Web Tokens: three parts of letters, digits, `-` and `_`, joined by dots, the first beginning with `eyJ`. */
function replaceWebTokens(text: string, mask: (value: string) => string): string {
  let out = '';
  let copied = 0;
  for (let at = text.indexOf('eyJ'); at !== -1; ) {
    if (at > 0 && isWordCharacter(text.charCodeAt(at - 1))) {
      at = text.indexOf('eyJ', at + 3);
      continue;
    }
    const header = partEnd(text, at);
    const claims = text[header] === '.' ? partEnd(text, header + 1) : header;
    const found = header - at >= 11 && claims - header > 4 && text[claims] === '.';
    if (found) {
      const end = partEnd(text, claims + 1);
      out += text.slice(copied, at) + mask(text.slice(at, end));
      copied = end;
    }
    // Nothing else that begins within the first part can be a token: it would end at the same dots.
    at = text.indexOf('eyJ', found ? copied : header);
  }
  return copied === 0 ? text : out + text.slice(copied);
}

function partEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && (isWordCharacter(text.charCodeAt(end)) || text.charCodeAt(end) === 0x2d)) end += 1;
  return end;
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f
  );
}

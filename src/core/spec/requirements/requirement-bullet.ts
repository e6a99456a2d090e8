/**
 * Reads one bullet of a requirement file:
 * `- **LEVEL** role \`id\` Statement. [place] {observe: …; transports: …; basis: …; reason: …; note: …}`.
 * It reports every problem of the bullet and must not look beyond it.
 */
import type {
  Basis,
  Level,
  Observation,
  RequirementFacts,
  RequirementTransport,
  Role,
} from '../../model/rules/requirement.ts';

/** Content of a bullet, without its revisions. */
export interface RequirementBullet extends RequirementFacts {
  id: string;
  area: string;
  level: Level;
  ref: string;
}

/** `bullet` is null when there were problems. */
export interface BulletResult {
  bullet: RequirementBullet | null;
  problems: string[];
}

export const levels: readonly Level[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'];
const roles: readonly Role[] = ['server', 'client', 'both', 'host', 'authorization-server'];
const observations: readonly Observation[] = [
  'server-active',
  'server-passive',
  'client-active',
  'client-passive',
  'auth',
  'none',
];
const transports: readonly RequirementTransport[] = ['*', 'stdio', 'http', 'sse'];
const bases: readonly Basis[] = ['keyword', 'schema', 'prose', 'contested'];
const attributeNames = ['observe', 'transports', 'basis', 'reason', 'note'] as const;
type AttributeName = (typeof attributeNames)[number];

/** A statement that needs more words holds more than one requirement. */
export const maximumWords = 30;

const idForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*){1,3}$/;
const pageForm = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*(?:#[A-Za-z0-9_%.~!'()*-]+)?$/;
const head = /^[-*]\s+\*\*([^*]*)\*\*\s*(\S*)\s*(?:`([^`]*)`)?\s*(.*)$/;
const tail = /^(.*?)\s*\[([^\][]*)\]\s*\{([^{}]*)\}$/;

/** True if a line at the left margin starts a requirement bullet, however malformed the rest is. */
export function startsRequirement(line: string): boolean {
  return /^[-*]\s+(?:\*\*|(?:MUST|SHOULD|MAY|SHALL|REQUIRED|RECOMMENDED|OPTIONAL)\b.*`|.*`.*\{\s*observe\b)/.test(line);
}

/** Reads the text of a bullet, already joined to one line. */
export function readBullet(text: string): BulletResult {
  const problems: string[] = [];
  const parts = head.exec(text);
  if (parts === null) {
    return {
      bullet: null,
      problems: ['the level must stand in bold, as in "- **MUST** server `area.topic.detail` …"'],
    };
  }
  const [, levelText = '', roleText = '', id, rest = ''] = parts;
  const level = pick(levelText, levels, 'level', problems);
  const role = pick(roleText, roles, 'role', problems);
  if (id === undefined) problems.push('an id in backquotes must follow the role');
  else if (!idForm.test(id)) {
    problems.push(`bad id "${id}": use two to four segments of lower-case words, as in area.topic.detail`);
  }

  const end = tail.exec(rest);
  if (end === null) {
    problems.push('after the statement there must be a place in [brackets] and then attributes in {braces}');
    return { bullet: null, problems };
  }
  const [, statement = '', ref = '', attributeText = ''] = end;
  checkStatement(statement, problems);
  const place = readPlace(ref, problems);
  const facts = readAttributes(attributeText, problems);
  if (problems.length > 0 || level === null || role === null || id === undefined || facts === null) {
    return { bullet: null, problems };
  }
  const area = id.slice(0, id.indexOf('.'));
  return { bullet: { id, area, level, role, statement, ref: place, ...facts }, problems };
}

function checkStatement(statement: string, problems: string[]): void {
  const words = statement.split(/\s+/).filter((word) => word !== '').length;
  if (words === 0) problems.push('the statement is missing');
  else if (words > maximumWords) {
    problems.push(`the statement has ${words} words, more than ${maximumWords}; split it or shorten it`);
  }
}

/** `-` stands for "no place" and becomes the empty string. */
function readPlace(ref: string, problems: string[]): string {
  const text = ref.trim();
  if (text === '-') return '';
  if (/^https?:\/\//.test(text)) {
    if (!URL.canParse(text)) problems.push(`bad address "${text}" as place`);
  } else if (!pageForm.test(text)) {
    problems.push(`bad place "${text}": use page, page#section, schema#Type, a full address, or - for none`);
  }
  return text;
}

function readAttributes(text: string, problems: string[]): Omit<RequirementFacts, 'role' | 'statement'> | null {
  const before = problems.length;
  const values = new Map<AttributeName, string>();
  for (const piece of text.split(';')) {
    const colon = piece.indexOf(':');
    const name = (colon < 0 ? piece : piece.slice(0, colon)).trim();
    const value = colon < 0 ? '' : piece.slice(colon + 1).trim();
    const known = attributeNames.find((candidate) => candidate === name);
    if (name === '' && value === '') {
      if (text.trim() !== '') problems.push('empty attribute; a semicolon may only separate two attributes');
    } else if (known === undefined) {
      problems.push(`unknown attribute "${name}"; known are ${attributeNames.join(', ')}`);
    } else if (value === '') problems.push(`attribute ${name} has no value`);
    else if (values.has(known)) problems.push(`attribute ${name} appears twice`);
    else values.set(known, value);
  }
  if (!values.has('observe') && !/(^|;)\s*observe\b/.test(text)) problems.push('attribute observe is missing');

  const observe = pickList(values.get('observe'), observations, 'observe', 'none', problems);
  const over = pickList(values.get('transports') ?? '*', transports, 'transports', '*', problems);
  const basis = pick(values.get('basis') ?? 'keyword', bases, 'basis', problems);
  const reason = values.get('reason') ?? null;
  const note = values.get('note') ?? null;
  const unseen = observe.includes('none');
  if (unseen && reason === null) problems.push('observe: none needs a reason');
  if (!unseen && observe.length > 0 && reason !== null) {
    problems.push('reason is only for observe: none; put remarks in note');
  }
  if (basis === 'contested' && note === null)
    problems.push('basis: contested needs a note that says what contradicts it');
  if (problems.length > before || basis === null) return null;
  return { observe, transports: over, basis, reason, note };
}

function pick<T extends string>(text: string, allowed: readonly T[], what: string, problems: string[]): T | null {
  const found = allowed.find((candidate) => candidate === text);
  if (found === undefined) problems.push(`bad ${what} "${text}"; use one of ${allowed.join(', ')}`);
  return found ?? null;
}

/** A list separated by commas, without repetition; `lone` must be the only one in its list. */
function pickList<T extends string>(
  text: string | undefined,
  allowed: readonly T[],
  what: string,
  lone: T,
  problems: string[],
): T[] {
  const picked: T[] = [];
  if (text === undefined) return picked;
  for (const piece of text.split(',')) {
    const value = pick(piece.trim(), allowed, what, problems);
    if (value === null) continue;
    if (picked.includes(value)) problems.push(`${what} names ${value} twice`);
    else picked.push(value);
  }
  if (picked.length > 1 && picked.includes(lone)) problems.push(`${what}: ${lone} must stand alone`);
  return picked;
}

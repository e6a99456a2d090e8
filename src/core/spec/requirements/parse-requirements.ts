/**
 * Reads a requirement file (Markdown, one bullet one requirement; the form is described in
 * docs/requirements-format.md), ours or a user's own. It takes text and gives data; it must not touch
 * the file system, nor know which requirements exist elsewhere.
 */
import type { Revision } from '../../model/rules/requirement.ts';
import { isKnownRevision, revisions as knownRevisions } from '../revisions.ts';
import { readBullet, startsRequirement, type RequirementBullet } from './requirement-bullet.ts';
import { RequirementsError, type RequirementProblem } from './requirements-error.ts';

export interface ParsedRequirement extends RequirementBullet {
  /** Where the bullet starts, from 1. */
  line: number;
}

export interface ParsedSection {
  title: string;
  /** 2 for `##`, 3 for `###`, and so on. */
  depth: number;
  line: number;
}

export interface ParsedSpec {
  file: string;
  title: string;
  /** The revisions that every bullet of the file holds for, oldest first. */
  revisions: readonly Revision[];
  /** The identifier of the extension whose requirements these are; absent in files of revisions, and without meaning in a user's own. */
  extension?: string;
  sections: ParsedSection[];
  requirements: ParsedRequirement[];
}

interface Bullet {
  line: number;
  text: string;
}

/**
 * Parses a requirement file.
 * @param markdown the text of the file
 * @param file its name, for messages only
 * @throws RequirementsError with every problem of the file, each with its line
 */
export function parseRequirements(markdown: string, file: string): ParsedSpec {
  const problems: RequirementProblem[] = [];
  const report = (line: number, message: string): void => void problems.push({ file, line, message });
  const { title, revisionLine, extensionLine, sections, bullets } = split(markdown);

  if (title === null) report(1, 'the file must start with a title, "# …"');
  const revisions = readRevisions(revisionLine, report);
  const extension = extensionLine?.text.slice('Extension:'.length).trim();

  const requirements: ParsedRequirement[] = [];
  const seen = new Map<string, number>();
  for (const { line, text } of bullets) {
    const { bullet, problems: found } = readBullet(text);
    for (const message of found) report(line, message);
    if (bullet === null) continue;
    const earlier = seen.get(bullet.id);
    if (earlier !== undefined) report(line, `duplicate id "${bullet.id}", first on line ${earlier}`);
    else seen.set(bullet.id, line);
    requirements.push({ ...bullet, line });
  }
  if (bullets.length === 0)
    report(0, 'no requirement found; each is a bullet such as "- **MUST** server `area.topic` …"');

  if (problems.length > 0) throw new RequirementsError(problems.sort((a, b) => a.line - b.line));
  return {
    file,
    title: title ?? '',
    revisions,
    extension,
    sections,
    requirements,
  };
}

/** Finds title, lines of revision and extension, headings and bullets; fenced code and HTML comments are not read. */
function split(markdown: string): {
  title: string | null;
  revisionLine: Bullet | null;
  extensionLine: Bullet | null;
  sections: ParsedSection[];
  bullets: Bullet[];
} {
  let title: string | null = null;
  let revisionLine: Bullet | null = null;
  let extensionLine: Bullet | null = null;
  const sections: ParsedSection[] = [];
  const bullets: Bullet[] = [];
  let open: Bullet | null = null;
  let fence: string | null = null;
  let comment = false;

  const lines = markdown.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, source] of lines.entries()) {
    const line = index + 1;
    const mark = /^\s*(`{3,}|~{3,})/.exec(source)?.[1] ?? null;
    if (!comment && mark !== null && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      open = null;
      continue;
    }
    if (fence !== null) continue;
    if (comment || /^\s*<!--/.test(source)) {
      comment = !source.includes('-->');
      open = null;
      continue;
    }
    const heading = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(source);
    if (heading !== null) {
      const [, hashes = '', text = ''] = heading;
      if (hashes.length === 1) title ??= text;
      else sections.push({ title: text, depth: hashes.length, line });
      open = null;
    } else if (startsRequirement(source)) {
      open = { line, text: source.trim() };
      bullets.push(open);
    } else if (open !== null && /^\s+\S/.test(source) && !/^\s+[-*]\s/.test(source)) {
      // A formatter may have wrapped a long bullet: its indented lines belong to it.
      open.text += ` ${source.trim()}`;
    } else {
      if (/^Revisions?:/.test(source)) revisionLine ??= { line, text: source.trim() };
      else if (source.startsWith('Extension:')) extensionLine ??= { line, text: source.trim() };
      open = null;
    }
  }
  return { title, revisionLine, extensionLine, sections, bullets };
}

/** `Revision: 2025-11-25`, `Revisions: 2025-06-18, 2025-11-25` or `Revision: all`. */
function readRevisions(found: Bullet | null, report: (line: number, message: string) => void): Revision[] {
  if (found === null) {
    report(1, 'a line "Revision: all", or with the names of revisions, must follow the title');
    return [];
  }
  const names = found.text.slice(found.text.indexOf(':') + 1).trim();
  if (names === 'all') return [...knownRevisions];
  const picked = new Set<Revision>();
  for (const name of names.split(',').map((piece) => piece.trim())) {
    if (!isKnownRevision(name)) {
      report(found.line, `unknown revision "${name}"; use all, or ${knownRevisions.join(', ')}`);
    } else if (picked.has(name)) report(found.line, `revision ${name} appears twice`);
    else picked.add(name);
  }
  return knownRevisions.filter((revision) => picked.has(revision));
}

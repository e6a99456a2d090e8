/** The official files, of five revisions and of extensions: they parse, and hold what checks rely on. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Level, RequirementAt } from '../../../src/core/model/rules/requirement.ts';
import {
  extensionsOf,
  isObservable,
  requirementAt,
  requirementsOf,
} from '../../../src/core/spec/requirements/catalogue.ts';
import { linkFor } from '../../../src/core/spec/requirements/links.ts';
import { parseRequirements } from '../../../src/core/spec/requirements/parse-requirements.ts';
import { severityOf } from '../../../src/core/spec/requirements/severity.ts';
import { revisions } from '../../../src/core/spec/revisions.ts';
import { catalogueFromSources, readSpecSources } from '../../../src/tools/generate/requirements.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const catalogue = catalogueFromSources(await readSpecSources(root));

function at(id: string, revision: (typeof revisions)[number]): RequirementAt {
  const found = requirementAt(catalogue, id, revision);
  if (found === null) throw new Error(`${id} is not in ${revision}`);
  return found;
}

/** Requirements, observable ones, MUST, MUST NOT, SHOULD, SHOULD NOT, MAY: a change must be meant. */
const counts = {
  '2024-11-05': [302, 184, 130, 13, 118, 2, 39],
  '2025-03-26': [422, 274, 183, 19, 149, 5, 66],
  '2025-06-18': [468, 317, 209, 26, 163, 5, 65],
  '2025-11-25': [756, 514, 351, 47, 241, 16, 101],
  '2026-07-28': [804, 536, 386, 86, 218, 20, 94],
};

describe.each(revisions)('%s', (revision) => {
  it('has the known number of requirements, by level', () => {
    const all = requirementsOf(catalogue, revision);
    const by = (level: Level): number => all.filter((requirement) => requirement.level === level).length;
    const levels = [by('MUST'), by('MUST NOT'), by('SHOULD'), by('SHOULD NOT'), by('MAY')];
    expect([all.length, all.filter(isObservable).length, ...levels]).toEqual(counts[revision]);
  });

  it('has a bullet for whatever looks like one', async () => {
    const text = await readFile(`${root}/rules/spec/${revision}.md`, 'utf8');
    const spec = parseRequirements(text, `${revision}.md`);
    expect(spec.requirements).toHaveLength(text.match(/\{observe: /g)?.length ?? 0);
    expect(spec.revisions).toEqual([revision]);
  });

  it('gives each requirement a sentence, an official link and transports that the revision has', () => {
    for (const { id, statement, ref, transports } of requirementsOf(catalogue, revision)) {
      expect(statement, id).toMatch(/^\S.*\.$/);
      expect(linkFor(ref, revision), id).toMatch(
        /^https:\/\/(modelcontextprotocol\.io|github\.com\/modelcontextprotocol)\//,
      );
      if (revision === '2024-11-05') expect(transports, id).not.toContain('http');
      if (revision === '2026-07-28') expect(transports, id).not.toContain('sse');
    }
  });
});

describe('the tasks extension', () => {
  const extension = 'io.modelcontextprotocol/tasks';
  const all = requirementsOf(catalogue, '2026-07-28', extension);

  it('is an area of its own in the revision that it belongs to', () => {
    // Requirements of mcpc's own are an extension in every revision.
    expect(
      revisions.flatMap((revision) =>
        extensionsOf(catalogue, revision)
          .filter((name) => !name.startsWith('mcpc/'))
          .map((name) => [revision, name]),
      ),
    ).toEqual([['2026-07-28', extension]]);
    const by = (level: Level): number => all.filter((requirement) => requirement.level === level).length;
    expect([
      all.length,
      all.filter(isObservable).length,
      by('MUST'),
      by('MUST NOT'),
      by('SHOULD'),
      by('SHOULD NOT'),
      by('MAY'),
    ]).toEqual([80, 67, 43, 7, 17, 0, 13]);
    expect(new Set(all.map(({ area }) => area))).toEqual(new Set(['ext-tasks']));
    expect(requirementsOf(catalogue, '2026-07-28').filter(({ area }) => area === 'ext-tasks')).toEqual([]);
  });

  it('gives each requirement a sentence and a clause of its specification', () => {
    for (const { id, statement, ref } of all) {
      expect(statement, id).toMatch(/^\S.*\.$/);
      expect(linkFor(ref, '2026-07-28', extension), id).toMatch(
        /^https:\/\/github\.com\/modelcontextprotocol\/ext-tasks\/blob\/main\/specification\/draft\/tasks\.md#[a-z0-9-]+$/,
      );
    }
  });

  it('costs no compliance', () => {
    expect(new Set(all.map(({ level, basis }) => severityOf(level, basis, extension)))).toEqual(
      new Set(['warning', 'info']),
    );
  });
});

it('says what differs between revisions', () => {
  expect(at('http.post.body-shape', '2025-03-26').statement).toContain('batch');
  expect(at('http.post.body-shape', '2025-06-18').statement).not.toContain('batch');
  expect(at('ping.answer.empty-result', '2025-11-25').level).toBe('MUST');
  expect(requirementAt(catalogue, 'ping.answer.empty-result', '2026-07-28')).toBeNull();
  expect(requirementAt(catalogue, 'jsonrpc.batch.reception', '2025-06-18')).toBeNull();
  expect(at('jsonrpc.request.id-type', '2025-11-25').role).toBe('both');
  expect(at('jsonrpc.request.id-type', '2026-07-28').role).toBe('client');
});

it('lets no contested requirement cost compliance', () => {
  const { level, basis } = at('cancellation.notification.in-progress-request', '2025-11-25');
  expect(level).toBe('MUST');
  expect(severityOf(level, basis)).toBe('warning');
});

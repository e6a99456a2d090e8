/**
 * Checks of published servers. Each has a file in expected/: how it is started, each failure that it is known
 * to have, read against the specification by hand, and the optional features that its code has, by reading it. A
 * failure or feature that comes or goes makes this test fail. A new server
 * is a dev dependency and such a file. A few are checked in `npm test`; all in the full run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGeneratedPlan } from '../../src/check/plan.ts';
import { checkPublished, packageFolder, publishedServers } from '../support/published-servers.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { rulesWith, type Checked } from './run-check.ts';

let work = '';
beforeAll(() => {
  work = mkdtempSync(path.join(tmpdir(), 'mcpc-real-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const done = new Map<string, Promise<Checked>>();
/** More at a time only make each other slow. */
const limit = pLimit(2);

/** One check of each server for all tests; `again` makes another one. */
function checked(name: string, again = ''): Promise<Checked> {
  const key = `${name}${again}`;
  const known =
    done.get(key) ?? limit(() => checkPublished(publishedServers.find((one) => one.name === name)!, key, work));
  done.set(key, known);
  return known;
}

const statuses = ({ report }: Checked) =>
  Object.fromEntries(report.parts[0]!.verdicts.map(({ rule, status }) => [rule, status]));

/** Checks wait for each other. */
const patience = { timeout: 300_000 };

const due = someOf(publishedServers, 18, ({ name }) => name);

describe.concurrent('failures are those that were read by hand', patience, () => {
  test.each(due)('$name', async ({ name, server, version, revision, fails }) => {
    const manifest = JSON.parse(readFileSync(path.join(packageFolder(server), 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(manifest.version, 'the findings are about this version').toBe(version);
    const outcome = await checked(name);
    expect(outcome.report.parts[0]!.revision).toBe(revision);
    expect(outcome.report.incomplete).toBe(null);
    expect(rulesWith(outcome, 'error')).toEqual([]);
    const seen = outcome.report.parts[0]!.verdicts.filter(({ status }) => status === 'fail').map(
      ({ rule, level, ref }) => ({ rule, level, ref }),
    );
    const known = fails.map(({ rule, level, clause }) => ({ rule, level, ref: clause }));
    expect(seen.sort(byRule)).toEqual(known.sort(byRule));
  });
});

describe.concurrent('features are those that the code has', patience, () => {
  test.each(due)('$name', async ({ name, uses, unseen = {} }) => {
    const features = (await checked(name)).report.parts[0]!.features!;
    expect(
      features
        .filter(({ status }) => status === 'used')
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual(Object.keys(uses).sort());
    expect(features.filter(({ rule }) => rule in unseen).map(({ status }) => status)).toEqual(
      Object.keys(unseen).map(() => 'not-seen'),
    );
  });
});

const byRule = (a: { rule: string }, b: { rule: string }): number => (a.rule < b.rule ? -1 : 1);

/** Rules that this server gives something to judge by in one run and not in another, and why. */
const byChance: Record<string, string> = {
  'tasks/result-final-outcome':
    'Its task takes seconds; whether it is over when its result is asked for depends on the machine.',
  'logging/set-level-threshold': 'It logs at a random level, so that the level asked for may leave no message.',
  'roots/security-server-unavailability':
    'It asks for the roots on the listening stream, which may come after the answers on other streams that the check waits for.',
};

/** Which of these is due, in one run of four. */
const compared = someOf(
  ['again everything-stdio', 'again everything-http', 'agrees everything-http', 'agrees everything-sse'],
  4,
  String,
);
const comparedBy = (how: string): string[] =>
  compared.flatMap((one) => (one.startsWith(`${how} `) ? [one.slice(how.length + 1)] : []));

describe.runIf(thorough).concurrent('verdicts repeat, and do not depend on the transport', patience, () => {
  test.each(comparedBy('again'))('%s: a second run ends as the first', async (name) => {
    const [first, second] = [statuses(await checked(name)), statuses(await checked(name, '-again'))];
    for (const rule of Object.keys(byChance))
      if ([first[rule], second[rule]].includes('not-exercised')) first[rule] = second[rule] = 'not-exercised';
    expect(second).toEqual(first);
  });

  /** Rules of all transports that one of them gives nothing to judge by, and why. */
  const undecidable: Record<string, string> = {
    'errors/code-invalid-request': 'On stdio and over HTTP+SSE the SDK gives no error that has a code.',
    'errors/code-parse-error':
      'On stdio, silence after bad input may be what the clause asks for; over HTTP the status tells.',
    'tools/list-changed-capability':
      'Over HTTP a message that answers nothing is seen only while a listening stream is open.',
    'prompts/list-changed-capability': 'As for tools.',
    'resources/list-changed-capability': 'As for tools.',
    'logging/security-secrets': 'As for tools.',
    ...byChance,
  };

  /** Rules that its transports keep and break, and why. */
  const apart: Record<string, string> = {
    'errors/invalid-request-answer': 'On stdio the SDK drops what is no message; over HTTP it answers with status 400.',
  };

  test.each(comparedBy('agrees'))('everything-stdio and %s agree', async (name) => {
    const here = await checked('everything-stdio');
    const there = await checked(name);
    const everywhere = new Set(
      readGeneratedPlan()
        .rules.filter(({ transports }) => transports.length === 3)
        .map(({ id }) => id),
    );
    const [ours, theirs] = [statuses(here), statuses(there)];
    const differing = Object.keys(ours).filter((rule) => everywhere.has(rule) && ours[rule] !== theirs[rule]);
    // What no message came for may not even apply.
    const isOpen = (status: string | undefined): boolean => status === 'not-exercised' || status === 'not-applicable';
    const contradicting = differing
      .filter((rule) => !(rule in apart))
      .filter((rule) => !(rule in undecidable) || !(isOpen(ours[rule]) || isOpen(theirs[rule])));
    expect(contradicting.map((rule) => `${rule}: ${ours[rule]} on stdio, ${theirs[rule]} here`)).toEqual([]);
  });
});

/** Rule files with the names of 0.1.0 load as those with the new ones do, and lint --fix writes the new ones. */
import { readFileSync, statSync, chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { factTable } from '../../src/core/facts/registry/registry.ts';
import { renamedFacts, renamedKinds, withNewNames } from '../../src/files/package/old-names.ts';
import { Workspace, errorOf } from '../cli/harness.ts';
import { subjectKinds } from '../../src/core/model/rules/subject-kind.ts';

const space = new Workspace();
const requirement =
  '# House\n\nRevision: all\n\n- **MUST** server `acme.names` Tools are called by their name. [-] {observe: server-active}\n- **MUST** server `acme.pages` Lists end. [-] {observe: server-active}\n';
space.write('house.md', requirement);

/** Laid out as no formatter would, with CRLF, so that any other change shows. */
const oldRule = [
  '{',
  '\t"$schema":"../rule.schema.json",',
  '  "title": "Tools are called by the name that is listed", "requirement" : ["acme.names"], "role":"server",',
  '  "stimulus": ["handshake", {"callTool": "any"}],',
  '  "given":   { "exchange": { "from": "client", "method": "tools/call", "spelled": [ "other-case" ], "outcome": ["result","error"] } },',
  '  "when": { "not": {"fact": "subject.cutBy","operator": "exists", "value": true} },',
  '  "expect": {"fact" :"subject.outcome", "operator":"is","value":"error"},',
  '  "message": "{{params.name}} was carried out: {{#if spelled}}{{spelled}}{{/if}}; a target, a question and a walk are no names here, nor is params.spelled {{params.spelled}}.",',
  '  "fix": "Compare the name of a tool as it is.",',
  '  "examples": [',
  '    { "verdict": "pass", "trace": ["> {\\"id\\":1,\\"method\\":\\"tools/list\\"}", "< {\\"id\\":1,\\"result\\":{\\"tools\\":[{\\"name\\":\\"spelled\\",\\"inputSchema\\":{\\"type\\":\\"object\\"}}]}}", "> {\\"id\\":2,\\"method\\":\\"tools/call\\",\\"params\\":{\\"name\\":\\"Spelled\\"}}", "< {\\"id\\":2,\\"error\\":{\\"code\\":-32602,\\"message\\":\\"no\\"}}"], "serverCapabilities": {"tools":{}} },',
  '    { "verdict": "fail", "trace": ["> {\\"id\\":1,\\"method\\":\\"tools/list\\"}", "< {\\"id\\":1,\\"result\\":{\\"tools\\":[{\\"name\\":\\"spelled\\",\\"inputSchema\\":{\\"type\\":\\"object\\"}}]}}", "> {\\"id\\":2,\\"method\\":\\"tools/call\\",\\"params\\":{\\"name\\":\\"Spelled\\"}}", "< {\\"id\\":2,\\"result\\":{\\"content\\":[]}}"] }',
  '  ]',
  '}',
  '',
].join('\r\n');

const newRule = oldRule
  .replace('"spelled": [ "other-case" ]', '"nameMatch": [ "other-case" ]')
  .replace('"subject.cutBy"', '"subject.streamClosedBy"')
  .replace('{{#if spelled}}{{spelled}}{{/if}}', '{{#if nameMatch}}{{nameMatch}}{{/if}}');

describe('the table', () => {
  test('new kinds and facts exist, old ones do not', () => {
    const kinds: readonly string[] = subjectKinds;
    for (const [old, now] of Object.entries(renamedKinds))
      expect([kinds.includes(old), kinds.includes(now)], old).toEqual([false, true]);
    const { facts: derived } = JSON.parse(
      readFileSync(new URL('../../rules/language/facts.json', import.meta.url), 'utf8'),
    ) as { facts: { name: string }[] };
    const facts = new Set([
      ...subjectKinds.flatMap((kind) => Object.keys(factTable[kind].facts)),
      ...derived.map(({ name }) => name.slice(name.indexOf('.') + 1)),
    ]);
    for (const [old, now] of Object.entries(renamedFacts))
      expect([facts.has(old), facts.has(now)], old).toEqual([false, true]);
  });

  test('the change note names every one', () => {
    const notes = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
    for (const [old, now] of Object.entries({ ...renamedKinds, ...renamedFacts }))
      expect(notes).toContain(`\`${old}\` → \`${now}\``);
  });
});

describe('withNewNames', () => {
  test('changes names alone, in the places where they are names', () => {
    const { text, renamed } = withNewNames(oldRule);
    expect(text).toBe(newRule);
    expect(Object.fromEntries(renamed)).toEqual({ spelled: 'nameMatch', cutBy: 'streamClosedBy' });
    expect(withNewNames(text)).toEqual({ text, renamed: new Map() });
  });

  test.each([
    ['a kind', '{"given":{"walk":{"method":"tools/list"}}}', '{"given":{"pagination":{"method":"tools/list"}}}'],
    [
      'kinds of a group and of its key',
      '{"given":{"group":{"of":{"question":{"idUse":"first"}},"by":{"fact":"subject.idUse"}}}}',
      '{"given":{"group":{"of":{"serverRequest":{"elicitationIdReuse":"first"}},"by":{"fact":"subject.elicitationIdReuse"}}}}',
    ],
    [
      'kinds of a pair',
      '{"given":{"pair":{"first":{"line":{}},"then":{"aftermath":{}},"until":{"target":{}}}}}',
      '{"given":{"pair":{"first":{"stdoutLine":{}},"then":{"followUp":{}},"until":{"trace":{}}}}}',
    ],
    [
      'the fact that a value is of',
      '{"when":{"fact":"subject.x","operator":"is","value":{"fact":"subject.overtaken"}}}',
      '{"when":{"fact":"subject.x","operator":"is","value":{"fact":"subject.laterRequestsAnsweredFirst"}}}',
    ],
    [
      'advice',
      '{"advice":[{"message":"{{misfits}}","when":{"fact":"subject.misfitUsed"}}]}',
      '{"advice":[{"message":"{{wronglyTypedArguments}}","when":{"fact":"subject.wrongArgumentEchoed"}}]}',
    ],
    [
      'derived facts',
      '{"facts":[{"name":"house.x","of":"walk.pages","do":"count"}]}',
      '{"facts":[{"name":"house.x","of":"pagination.pages","do":"count"}]}',
    ],
    [
      'session facts and values stay',
      '{"when":{"fact":"session.spelled","operator":"is","value":"spelled"},"examples":[{"note":"subject.spelled"}]}',
      '{"when":{"fact":"session.spelled","operator":"is","value":"spelled"},"examples":[{"note":"subject.spelled"}]}',
    ],
    ['what is no JSON stays', '{"given": walk', '{"given": walk'],
  ])('%s', (_title, before, after) => {
    expect(withNewNames(before).text).toBe(after);
  });
});

describe('commands', () => {
  test('a file with old names loads, with one warning that gives the new ones; lint --fix writes them and nothing else', async () => {
    const file = space.write('house/acme/names.json', oldRule);
    space.write('house/acme/pages.json', newRule.replaceAll('acme.names', 'acme.pages'));
    chmodSync(file, 0o640);
    const lint = ['rules', 'lint', 'house/**/*.json', '--requirements', 'house.md'];
    const before = await space.call(lint);
    expect(before.code, before.stdout + before.stderr).toBe(0);
    expect(before.stderr.match(/Warning: /g)).toHaveLength(1);
    expect(before.stderr).toContain(
      'house/acme/names.json has names that the next minor version no longer knows: spelled is now nameMatch, cutBy is now streamClosedBy.',
    );
    const listed = await space.call([
      'rules',
      'list',
      '--only',
      'acme',
      '--rules',
      'house/**/*.json',
      '--requirements',
      'house.md',
    ]);
    expect(listed.stderr.match(/Warning: /g)).toHaveLength(1);
    expect(space.read('house/acme/names.json')).toBe(oldRule);

    const fixed = await space.call([...lint, '--fix']);
    expect(fixed.code, fixed.stdout + fixed.stderr).toBe(0);
    expect(fixed.stderr).toContain(
      'Fixed house/acme/names.json: spelled is now nameMatch, cutBy is now streamClosedBy.',
    );
    expect(space.read('house/acme/names.json')).toBe(newRule);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect((await space.call(lint)).stderr).not.toContain('Warning');
  });

  test('--fix without files is an error', async () => {
    const outcome = await space.call(['rules', 'lint', '--fix']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toContain('--fix needs the files');
  });
});

/** The commands over rules, and rules of the user's own from their first line to a verdict. */
import { beforeAll, describe, expect, test } from 'vitest';
import { parseReport } from '../support/read-report.ts';
import { errorOf, exampleServer, Workspace } from './harness.ts';
import { someOf } from '../support/run/some-of.ts';

const space = new Workspace();
const house = `# House rules

Revision: all

- **MUST** server \`acme.tools.description\` Every tool has a description. [https://wiki.example/mcp#tools] {observe: server-passive}
- **SHOULD** server \`acme.tools.prefix\` Every tool name starts with acme. [-] {observe: server-active}
- **MAY** server \`acme.tools.icons\` A tool can have an icon. [-] {observe: server-passive}
- **MUST** host \`acme.consent.dialog\` A person confirms. [-] {observe: none; reason: it happens on a screen}
`;

beforeAll(() => {
  space.write('house.md', house);
});

describe('list, show, coverage', () => {
  interface Listed {
    digest: string;
    rules: { id: string; levels: Record<string, string>; transports: string[] }[];
  }

  test('list has one line a rule, and the same as JSON', async () => {
    const [text, json] = await Promise.all([space.run(['rules', 'list']), space.call(['rules', 'list', '--json'])]);
    const { rules, digest } = JSON.parse(json.stdout) as Listed;
    expect([text.code, json.code]).toEqual([0, 0]);
    expect(rules.length).toBeGreaterThan(100);
    expect(
      text.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(rules.map((rule) => rule.id));
    expect(text.stderr).toContain(digest);
  });

  test('list narrows by revision, transport, area and level', async () => {
    const { stdout } = await space.call([
      'rules',
      'list',
      '--json',
      '--spec',
      '2024-11-05',
      '--transport',
      'stdio',
      '--only',
      'ping,stdio/*',
      '--level',
      'must',
    ]);
    const { rules } = JSON.parse(stdout) as Listed;
    expect(rules.length).toBeGreaterThan(3);
    for (const { id, levels, transports } of rules) {
      expect(id).toMatch(/^(ping|stdio)\//);
      expect(levels['2024-11-05']).toMatch(/^MUST/);
      expect(transports).toContain('stdio');
    }
  });

  test('show tells requirement, places and examples', async () => {
    const { code, stdout } = await space.call(['rules', 'show', 'ping/answer-empty-result']);
    expect(code).toBe(0);
    for (const text of [
      'ping.answer.empty-result',
      '2025-11-25  MUST',
      'https://modelcontextprotocol.io/',
      'Examples',
      '> {"id":1,"method":"ping"}',
    ])
      expect(stdout).toContain(text);
    const json = JSON.parse((await space.call(['rules', 'show', 'ping/answer-empty-result', '--json'])).stdout) as {
      rule: { examples: unknown[] };
      compiled: { id: string };
    };
    expect(json.compiled.id).toBe('ping/answer-empty-result');
    expect(json.rule.examples.length).toBeGreaterThan(1);
  });

  test('rules of level MAY are listed, shown and explained as what they are', async () => {
    const id = 'tools/result-resource-link';
    const { rules } = JSON.parse((await space.call(['rules', 'list', '--json', '--features'])).stdout) as Listed & {
      rules: { feature?: true }[];
    };
    expect(rules.length).toBeGreaterThan(50);
    for (const { levels, feature } of rules as (Listed['rules'][number] & { feature?: true })[])
      expect([...new Set(Object.values(levels)), feature]).toEqual(['MAY', true]);
    const narrow = await space.call(['rules', 'list', '--features', '--only', 'tools', '--spec', '2024-11-05']);
    expect(narrow.stdout).toBe(
      'tools/list-changed-permission   MAY  Changes of the list of tools are announced (listChanged is declared)\ntools/result-embedded-resource  MAY  A tool result embeds a resource\n',
    );
    expect(narrow.stderr).toContain('and 2 of level MAY that report optional features');
    expect((await space.call(['rules', 'list', '--level', 'should'])).stdout).not.toContain(id);
    const shown = await space.call(['rules', 'show', id]);
    expect(shown.stdout).toContain('Used when');
    expect(shown.stdout).not.toContain('When it fails');
    const explained = await space.call(['explain', id]);
    expect(explained.stdout).toMatch(/An exchange that uses it\n[^]*One that does not\n/);
    expect(explained.stdout).not.toContain('\nFix\n');
  });

  test('show tells derived facts with what they are made of', async () => {
    const id = 'cancellation/sender-late-response';
    const { stdout } = await space.call(['rules', 'show', id]);
    expect(stdout).toContain('Derived facts\n  subject.orphanCount is subject.orphans: count');
    const { derivedFacts } = JSON.parse((await space.call(['rules', 'show', id, '--json'])).stdout) as {
      derivedFacts: unknown;
    };
    expect(derivedFacts).toEqual([{ name: 'subject.orphanCount', of: 'subject.orphans', steps: [{ do: 'count' }] }]);
  });

  test('coverage counts each revision and names what is left', async () => {
    const { code, stdout } = await space.call(['rules', 'coverage', '--json']);
    expect(code).toBe(0);
    const { revisions } = JSON.parse(stdout) as {
      revisions: { revision: string; must: { covered: number; total: number }; uncovered: { id: string }[] }[];
    };
    expect(revisions).toHaveLength(5);
    for (const { must } of revisions) expect(must.covered).toBeLessThanOrEqual(must.total);
    const one = await space.call(['rules', 'coverage', '--spec', '2026-07-28']);
    const { uncovered } = revisions.find(({ revision }) => revision === '2026-07-28')!;
    expect(one.stdout).toContain(`Without a rule (${uncovered.length})`);
    for (const { id } of uncovered) expect(one.stdout).toContain(id);
  });

  test('coverage of one party counts what binds it and shows on it, by the rules that look at it', async () => {
    interface Party {
      revisions: {
        role: string;
        must: { covered: number; total: number };
        uncovered: { id: string; level: string }[];
      }[];
    }
    const of = async (role: string) =>
      (
        JSON.parse(
          (await space.call(['rules', 'coverage', '--role', role, '--spec', '2025-11-25', '--json'])).stdout,
        ) as Party
      ).revisions[0]!;
    const [server, client] = [await of('server'), await of('client')];
    expect([server.role, client.role]).toEqual(['server', 'client']);
    expect(server.must).toEqual({ covered: server.must.total, total: server.must.total });
    expect(client.must.total - client.must.covered).toBe(
      client.uncovered.filter(({ level }) => level.startsWith('MUST')).length,
    );
    expect(client.must.total).toBeGreaterThan(0);
    const text = await space.call(['rules', 'coverage', '--role', 'client', '--spec', '2025-11-25']);
    expect(text.stdout).toContain('client MUST');
    for (const { id } of client.uncovered) expect(text.stdout).toContain(id);
  });
});

describe('rules of the user', () => {
  test('from bullets to files to verdicts', async () => {
    const made = await space.call(['rules', 'new', '--from', 'house.md', '--folder', 'own', '--json']);
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toEqual({
      written: [
        {
          rule: 'acme/tools-description',
          file: 'own/acme/tools-description.json',
          requirement: 'acme.tools.description',
        },
        { rule: 'acme/tools-prefix', file: 'own/acme/tools-prefix.json', requirement: 'acme.tools.prefix' },
        { rule: 'acme/tools-icons', file: 'own/acme/tools-icons.json', requirement: 'acme.tools.icons' },
      ],
      left: [{ requirement: 'acme.consent.dialog', why: 'it happens on a screen' }],
    });

    // An editor finds the schema beside the rules, whatever mcpc is installed as, and globs leave it out.
    const { $schema } = JSON.parse(space.read('own/acme/tools-prefix.json')) as { $schema: string };
    expect($schema).toBe('../.mcpc/rule.schema.json');
    for (const name of ['rule', 'names', 'stimulus', 'mutation'])
      expect(JSON.parse(space.read(`own/.mcpc/${name}.schema.json`))).toHaveProperty('$id', `${name}.schema.json`);

    // What was just written decides nothing, and lint says what is left to be filled in.
    const lint = await space.call(['rules', 'lint', 'own/**/*.json', '--requirements', 'house.md']);
    expect(lint.code).toBe(2);
    for (const place of ['given', 'message', 'fix', 'examples[0].notLive'])
      expect(lint.stdout).toMatch(
        new RegExp(`own/acme/tools-prefix\\.json:\\d+: ${place.replace(/[[\].]/g, '\\$&')}: still `),
      );
    expect(lint.stdout).toMatch(/own\/acme\/tools-icons\.json:\d+: given: still /);
    const own = ['--rules', 'own/**/*.json', '--requirements', 'house.md'];
    const check = [
      'check',
      '--json',
      '--spec',
      '2025-11-25',
      ...own,
      '--only',
      'acme,ping',
      '--',
      'node',
      exampleServer,
      'stdio',
    ];
    const unfinished = parseReport((await space.call(check)).stdout, 'stdout');
    expect(unfinished.verdicts.filter((verdict) => verdict.area === 'acme').map((verdict) => verdict.status)).toEqual([
      'not-exercised',
      'not-exercised',
    ]);
    // A permission becomes a rule of level MAY, which is no verdict.
    expect(unfinished.features).toMatchObject([{ rule: 'acme/tools-icons', status: 'not-seen' }]);

    // A second run touches nothing.
    const again = await space.call(['rules', 'new', '--from', 'house.md', '--folder', 'own', '--json']);
    expect((JSON.parse(again.stdout) as { written: unknown[] }).written).toEqual([]);

    // Filled in, it judges: the example server's tools have no such prefix, but that is only a SHOULD.
    space.write('own/acme/tools-prefix.json', {
      ...(JSON.parse(space.read('own/acme/tools-prefix.json')) as object),
      given: { exchange: { from: 'client', method: 'tools/list', outcome: ['result'] } },
      expect: { fact: 'subject.result', path: '$.tools[*].name', operator: 'everyMatches', value: '^acme_' },
      message: 'A tool has another name: {{actual}}.',
      fix: 'Rename the tool.',
      examples: [
        {
          verdict: 'pass',
          trace: [
            '> {"id":1,"method":"tools/list"}',
            '< {"id":1,"result":{"tools":[{"name":"acme_a","inputSchema":{"type":"object"}}]}}',
          ],
        },
        {
          verdict: 'fail',
          trace: [
            '> {"id":1,"method":"tools/list"}',
            '< {"id":1,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}}',
          ],
        },
      ],
    });
    const relint = await space.call(['rules', 'lint', 'own/acme/tools-prefix.json', '--requirements', 'house.md']);
    expect(relint.code, relint.stdout).toBe(0);
    const run = await space.call(check);
    const report = parseReport(run.stdout, 'stdout');
    expect(run.code, run.stderr).toBe(0);
    expect(report.verdicts.find((verdict) => verdict.rule === 'acme/tools-prefix')).toMatchObject({
      status: 'fail',
      level: 'SHOULD',
      severity: 'warning',
      requirements: ['acme.tools.prefix'],
    });
    expect(report.ruleSet.digest).not.toBe(unfinished.ruleSet.digest);
  });

  test('one rule by name; an existing file is never overwritten', async () => {
    const args = [
      'rules',
      'new',
      'acme/own-name',
      '--requirement',
      'acme.tools.prefix',
      '--requirements',
      'house.md',
      '--folder',
      'named',
    ];
    expect((await space.call(args)).stdout).toBe('named/acme/own-name.json\n');
    const again = await space.call(args);
    expect(again.code).toBe(2);
    expect(errorOf(again).why).toContain('is there already');
  });

  test.each(['group', 'pair'])(
    'a rule about a %s to start from is sound but for what is to be filled in',
    async (about) => {
      const made = await space.call([
        'rules',
        'new',
        `acme/new-${about}`,
        '--about',
        about,
        '--requirement',
        'acme.tools.prefix',
        '--requirements',
        'house.md',
        '--folder',
        'about',
      ]);
      expect(made.stdout).toBe(`about/acme/new-${about}.json\n`);
      expect(JSON.parse(space.read(`about/acme/new-${about}.json`))).toHaveProperty(['given', about]);
      const lint = await space.call(['rules', 'lint', `about/acme/new-${about}.json`, '--requirements', 'house.md']);
      expect(lint.code).toBe(2);
      expect(
        lint.stdout
          .trimEnd()
          .split('\n')
          .filter((line) => !line.includes(': still ')),
      ).toEqual([]);
      // It judges nothing, and it loads.
      const listed = await space.call([
        'rules',
        'list',
        '--only',
        'acme',
        '--rules',
        `about/acme/new-${about}.json`,
        '--requirements',
        'house.md',
      ]);
      expect(listed.stdout).toContain(`acme/new-${about}`);
    },
  );

  const sound = {
    title: 'Every tool has a description',
    requirement: ['acme.tools.description'],
    role: 'server',
    given: { exchange: { method: 'tools/list' } },
    expect: { fact: 'subject.result', operator: 'hasType', value: 'object' },
    message: 'It has none: {{actual}}.',
    fix: 'Give each a description.',
    examples: [
      { verdict: 'pass', trace: ['> {"id":1,"method":"tools/list"}', '< {"id":1,"result":{}}'] },
      { verdict: 'fail', trace: ['> {"id":1,"method":"tools/list"}', '< {"id":1,"result":[]}'] },
    ],
  };

  test.each(
    someOf<[string, object | string, RegExp]>(
      [
        ['no JSON', '{ "title": ', /acme\/broken\.json: .*JSON/],
        [
          'an unknown member',
          { ...sound, severity: 'high' },
          /acme\/broken\.json:\d+: severity: is unknown here\. Known: /,
        ],
        [
          'an unknown fact',
          { ...sound, expect: { fact: 'subject.nothing', operator: 'exists', value: true } },
          /expect: unknown fact "subject\.nothing"/,
        ],
        [
          'an unknown operator',
          { ...sound, expect: { fact: 'subject.result', operator: 'equals', value: 1 } },
          /expect: unknown operator "equals"/,
        ],
        [
          'an unknown requirement',
          { ...sound, requirement: ['acme.no.such'] },
          /requirement\[0\]: no requirement "acme\.no\.such"/,
        ],
        [
          'a fault that is sent and not asked for',
          { ...sound, stimulus: ['handshake', { request: 'tools/list', deviation: 'is odd' }] },
          /acme\/broken\.json:\d+: given: the stimulus sends what is wrong on purpose: say by "soundness"/,
        ],
        [
          'a word that no request has',
          { ...sound, given: { exchange: { method: 'tools/list', soundness: ['sound', 'odd'] } } },
          /given\.exchange\.soundness: no request is "odd"\. Known: cancelled, .*, any/,
        ],
        [
          'an empty list of conditions',
          { ...sound, expect: { all: [] } },
          /acme\/broken\.json:\d+: expect\.all: .*fewer than 1/,
        ],
      ],
      3,
      ([title]) => title,
    ),
  )('a broken file: %s', async (_title, content, problem) => {
    space.write('acme/broken.json', content);
    const lint = await space.call(['rules', 'lint', 'acme/broken.json', '--requirements', 'house.md']);
    expect(lint.code).toBe(2);
    expect(lint.stdout).toMatch(problem);
    const check = await space.call(['check', '--rules', 'acme/broken.json', '--requirements', 'house.md', '--', 'x']);
    expect(check.code).toBe(2);
    expect(errorOf(check).why).toMatch(problem);
  });

  test('everything that is wrong with a mutation is told at once, each with its line and the words that fit', async () => {
    const mutation = [
      { on: { result: 'tools/list' }, set: '$.result.tools[', to: 1 },
      { on: { repply: 'tools/list', nth: 0 }, drops: true, delay: 999_999 },
      { on: { request: 'ping', result: 'ping' }, name: 'x' },
      { on: { http: { method: 'POST' } }, name: 'y', remove: '$.result', end: '', revisions: ['2025-11-26'] },
      { on: { notification: 'a' }, name: 'y', status: 500, set: '$.x' },
      { on: { result: ['initialize', 'tools/lst'] }, name: 'z', drop: true },
      { on: { http: { rpc: 'tools/cal' } }, name: 'w', status: 500 },
    ];
    space.write('acme/faulty.json', { ...sound, mutation });
    const shape = await space.call(['rules', 'lint', 'acme/faulty.json', '--requirements', 'house.md']);
    expect(shape.code).toBe(2);
    const told = shape.stdout
      .split('\n')
      .filter((line) => line.startsWith('acme'))
      .toSorted();
    expect(told).toEqual([
      expect.stringMatching(
        /^acme\/faulty\.json:\d+: mutation\[1\]\.on\.repply: is unknown here\. Did you mean "reply"\? Known: reply, /,
      ),
      expect.stringMatching(/^acme\/faulty\.json:\d+: mutation\[1\]\.on\.nth: must be >= 1$/),
      expect.stringMatching(
        /^acme\/faulty\.json:\d+: mutation\[1\]\.drops: is unknown here\. Did you mean "drop"\? Known: drop, /,
      ),
      expect.stringMatching(/^acme\/faulty\.json:\d+: mutation\[1\]\.delay: must be <= 10000$/),
    ]);
    space.write('acme/faulty.json', { ...sound, mutation: mutation.toSpliced(1, 1) });
    const meaning = await space.call(['check', '--rules', 'acme/faulty.json', '--requirements', 'house.md', '--', 'x']);
    expect(meaning.code).toBe(2);
    const lineOf = (text: string): number =>
      space
        .read('acme/faulty.json')
        .split('\n')
        .findIndex((line) => line.includes(text)) + 1;
    const { why } = errorOf(meaning);
    for (const problem of [
      `acme/faulty.json:${lineOf('$.result.tools[')}: mutation[0].set: the path $.result.tools[ cannot be read: `,
      'mutation[1].on: names result and request; it has to name one of reply, result, error, request, notification, http',
      'mutation[1]: says nothing that is wrong; the operators are set, remove, raw, delay, repeat, drop, copy, status, header, hears, spelling',
      'mutation[2].end: belongs to "raw", which is missing',
      'mutation[2].remove: changes a message, but "on" names an HTTP reply; there are status and header',
      `acme/faulty.json:${lineOf('2025-11-26')}: mutation[2].revisions[0]: there is no revision 2025-11-26. Did you mean "2025-11-25"?`,
      'mutation[3].name: another mutation of the rule has the name y',
      'mutation[3].status: changes the HTTP reply that carries an answer; "on" names no answer',
      'mutation[3].set: needs either "to", "plus" or "as"',
      'mutation[3].on.notification: there is no method a.',
      'mutation[4].on.result: there is no method tools/lst. Did you mean "tools/list"?',
      'mutation[5].on.http.rpc: there is no method tools/cal. Did you mean "tools/call"?',
    ])
      expect(why).toContain(problem);
  });

  test.each(
    someOf<[string, object, RegExp]>(
      [
        [
          'a wrong label',
          { ...sound, examples: [sound.examples[0], { ...sound.examples[1], verdict: 'pass' }] },
          /examples\[1\]: gets fail on stdio at .* but is labelled pass/,
        ],
        [
          'a condition that nothing makes false',
          {
            ...sound,
            expect: { all: [sound.expect, { fact: 'subject.method', operator: 'is', value: 'tools/list' }] },
          },
          /expect\.all\[1\]: no failing example makes the condition on subject\.method false/,
        ],
        [
          'the name of a fact in a text',
          { ...sound, message: 'The httpStatus says that {{tool}} is wrong.' },
          /examples\[\d\]: message names the fact httpStatus: The httpStatus says/,
        ],
        ['a doubled word', { ...sound, fix: 'Begin the the name with acme_.' }, /examples\[\d\]: fix says "the the"/],
        [
          'a text that nobody reads to its end',
          { ...sound, fix: 'Begin the name with acme_. '.repeat(12) },
          /examples\[\d\]: fix has 3\d\d characters, where 300 are the most/,
        ],
        [
          'a number that is taken for absent',
          {
            ...sound,
            expect: { fact: 'subject.errorCode', operator: 'exists', value: false },
            message: 'It got {{#if errorCode}}the error {{errorCode}}{{else}}a result{{/if}}.',
            examples: [
              sound.examples[0],
              {
                verdict: 'fail',
                trace: ['> {"id":1,"method":"tools/list"}', '< {"id":1,"error":{"code":0,"message":"no"}}'],
              },
            ],
          },
          /message asks whether errorCode is there, and takes 0 for absent: write \{\{#if errorCode includeZero=true\}\}/,
        ],
        ['what has no text', { ...sound, message: 'It is [object Object].' }, /holds "\[object Object\]"/],
      ],
      3,
      ([title]) => title,
    ),
  )('lint finds in the examples: %s', async (_title, content, problem) => {
    space.write('acme/doubtful.json', content);
    const lint = await space.call(['rules', 'lint', 'acme/doubtful.json', '--requirements', 'house.md']);
    expect(lint.code).toBe(2);
    expect(lint.stdout).toMatch(problem);
    const json = JSON.parse(
      (await space.call(['rules', 'lint', 'acme/doubtful.json', '--requirements', 'house.md', '--json'])).stdout,
    ) as { problems: unknown[] };
    expect(json.problems.length).toBeGreaterThan(0);
  });

  test('a broken requirement file is told with its line', async () => {
    space.write(
      'broken.md',
      '# House\n\nRevision: all\n\n- **MAYBE** server `acme.x` Something. [-] {observe: server-passive}\n',
    );
    const outcome = await space.call(['check', '--rules', 'own/**/*.json', '--requirements', 'broken.md', '--', 'x']);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/broken\.md:5: /);
  });
});

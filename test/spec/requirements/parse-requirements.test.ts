/** The parser of requirement files: what it accepts, and that each error names its line. */
import { describe, expect, it } from 'vitest';
import { parseRequirements } from '../../../src/core/spec/requirements/parse-requirements.ts';
import { RequirementsError } from '../../../src/core/spec/requirements/requirements-error.ts';
import { revisions } from '../../../src/core/spec/revisions.ts';

const goodBullet =
  '- **MUST** server `acme.tools.prefix` Every tool name starts with acme_. [-] {observe: server-passive}';

function fileWith(...lines: string[]): string {
  return ['# House rules', '', 'Revision: all', '', ...lines].join('\n');
}

function problemsOf(text: string): string[] {
  try {
    parseRequirements(text, 'house.md');
  } catch (error) {
    if (!(error instanceof RequirementsError)) throw error;
    return error.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  }
  return [];
}

describe('a good file', () => {
  it('gives title, revisions, sections and requirements with all their parts', () => {
    const text = [
      '# House rules',
      '',
      'Revisions: 2025-11-25, 2025-06-18',
      '',
      '## Tools ##',
      '### Names',
      '',
      '- An ordinary bullet, MUST not matter.',
      '- **SHOULD NOT** both `acme.tools.name-length` Names have [at most] 40 letters. [https://wiki.example.com/a?b=c#d] {observe: server-active, client-passive; transports: stdio, http; basis: contested; note: page 2 says 50, see there}',
      '- **MAY** host `acme.ui` Anything goes. [schema#Tool.name] {observe: none; reason: It is: a permission}',
    ].join('\n');
    expect(parseRequirements(text, 'house.md')).toEqual({
      file: 'house.md',
      title: 'House rules',
      revisions: ['2025-06-18', '2025-11-25'],
      sections: [
        { title: 'Tools', depth: 2, line: 5 },
        { title: 'Names', depth: 3, line: 6 },
      ],
      requirements: [
        {
          id: 'acme.tools.name-length',
          area: 'acme',
          level: 'SHOULD NOT',
          role: 'both',
          statement: 'Names have [at most] 40 letters.',
          ref: 'https://wiki.example.com/a?b=c#d',
          observe: ['server-active', 'client-passive'],
          transports: ['stdio', 'http'],
          basis: 'contested',
          reason: null,
          note: 'page 2 says 50, see there',
          line: 9,
        },
        {
          id: 'acme.ui',
          area: 'acme',
          level: 'MAY',
          role: 'host',
          statement: 'Anything goes.',
          ref: 'schema#Tool.name',
          observe: ['none'],
          transports: ['*'],
          basis: 'keyword',
          reason: 'It is: a permission',
          note: null,
          line: 10,
        },
      ],
    });
  });

  it('means every revision by "all", and no place by "-"', () => {
    const spec = parseRequirements(fileWith(goodBullet), 'house.md');
    expect(spec.revisions).toEqual(revisions);
    expect(spec.requirements[0]?.ref).toBe('');
  });

  it('may have Windows line ends, a byte order mark and wrapped bullets', () => {
    const wrapped = fileWith(
      '- **MUST** server',
      '  `acme.tools.prefix` Every tool name',
      '  starts with acme_. [-]',
      '  {observe: server-passive}',
      'A paragraph.',
    );
    const plain = parseRequirements(fileWith(goodBullet, 'A paragraph.'), 'house.md');
    expect(parseRequirements(`\uFEFF${wrapped.replaceAll('\n', '\r\n')}`, 'house.md')).toEqual(plain);
  });

  it('reads nothing from fenced code and comments', () => {
    const bad = '- **NEVER** nobody';
    const text = fileWith(
      '````markdown',
      bad,
      '```',
      bad,
      '````',
      '<!-- a comment',
      bad,
      '-->',
      `<!-- ${bad} -->`,
      goodBullet,
    );
    expect(parseRequirements(text, 'house.md').requirements.map(({ line }) => line)).toEqual([14]);
  });
});

describe('errors', () => {
  const cases: [name: string, bullet: string, message: RegExp][] = [
    ['an unknown level', goodBullet.replace('MUST', 'SHALL'), /bad level "SHALL"; use one of MUST, MUST NOT/],
    ['a level that is not bold', goodBullet.replaceAll('**', ''), /the level must stand in bold/],
    ['a missing level', '- server `acme.a` Statement. [-] {observe: none; reason: x}', /the level must stand in bold/],
    ['an unknown role', goodBullet.replace('server `', 'proxy `'), /bad role "proxy"/],
    ['a missing id', goodBullet.replace('`acme.tools.prefix` ', ''), /an id in backquotes must follow the role/],
    ['an id with a capital', goodBullet.replace('acme.tools', 'acme.Tools'), /bad id "acme.Tools.prefix"/],
    ['an id without area', goodBullet.replace('acme.tools.prefix', 'prefix'), /bad id "prefix"/],
    ['an id with five segments', goodBullet.replace('.prefix', '.a.b.c'), /bad id/],
    ['an empty statement', goodBullet.replace('Every tool name starts with acme_. ', ''), /the statement is missing/],
    ['a statement of 31 words', goodBullet.replace('acme_.', 'word '.repeat(26).trim()), /has 31 words, more than 30/],
    ['a missing place', goodBullet.replace('[-] ', ''), /a place in \[brackets\]/],
    ['an empty place', goodBullet.replace('[-]', '[]'), /bad place ""/],
    ['a place with a blank', goodBullet.replace('[-]', '[server/tools # x]'), /bad place "server\/tools # x"/],
    ['an address that is none', goodBullet.replace('[-]', '[http://:80]'), /bad address "http:\/\/:80"/],
    ['missing attributes', goodBullet.replace(/ \{.*/, ''), /attributes in \{braces\}/],
    [
      'a missing observe',
      goodBullet.replace('observe: server-passive', 'transports: *'),
      /attribute observe is missing/,
    ],
    ['empty attributes', goodBullet.replace('observe: server-passive', ''), /attribute observe is missing/],
    [
      'an unknown attribute',
      goodBullet.replace('}', '; colour: red}'),
      /unknown attribute "colour"; known are observe/,
    ],
    ['an attribute without value', goodBullet.replace('}', '; basis:}'), /attribute basis has no value/],
    ['an attribute given twice', goodBullet.replace('}', '; observe: auth}'), /attribute observe appears twice/],
    ['a semicolon at the end', goodBullet.replace('}', ';}'), /empty attribute/],
    ['an unknown way to observe', goodBullet.replace('server-passive', 'server-passive, guess'), /bad observe "guess"/],
    ['none beside another way', goodBullet.replace('server-passive', 'none, auth; reason: x'), /none must stand alone/],
    ['a way named twice', goodBullet.replace('server-passive', 'auth, auth'), /names auth twice/],
    ['none without reason', goodBullet.replace('server-passive', 'none'), /observe: none needs a reason/],
    ['a reason without none', goodBullet.replace('}', '; reason: x}'), /reason is only for observe: none/],
    ['an unknown transport', goodBullet.replace('}', '; transports: websocket}'), /bad transports "websocket"/],
    ['* beside a transport', goodBullet.replace('}', '; transports: *, http}'), /\* must stand alone/],
    ['an unknown basis', goodBullet.replace('}', '; basis: rumour}'), /bad basis "rumour"/],
    ['contested without note', goodBullet.replace('}', '; basis: contested}'), /basis: contested needs a note/],
  ];

  it.each(cases)('reports %s with its line, and nothing else', (_name, bullet, message) => {
    const problems = problemsOf(fileWith('- plain bullet', bullet, goodBullet.replace('.prefix', '.other')));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^house\.md:6: /);
    expect(problems[0]).toMatch(message);
  });

  it('reports a duplicate id with both lines', () => {
    expect(problemsOf(fileWith(goodBullet, goodBullet))).toEqual([
      'house.md:6: duplicate id "acme.tools.prefix", first on line 5',
    ]);
  });

  it('reports the line on which a wrapped bullet starts', () => {
    expect(problemsOf(fileWith('', '- **MUST** server `acme.a`', '  Wrapped. [-]', '  {observe: maybe}'))[0]).toMatch(
      /^house\.md:6: bad observe "maybe"/,
    );
  });

  it.each([
    ['a missing title', `Revision: all\n${goodBullet}`, /^house\.md:1: .*title/],
    ['a missing revision line', `# T\n${goodBullet}`, /^house\.md:1: .*Revision: all/],
    [
      'an unknown revision',
      `# T\nRevision: 2025-11-25, 2025-01-01\n${goodBullet}`,
      /^house\.md:2: unknown revision "2025-01-01"/,
    ],
    [
      'a revision given twice',
      `# T\nRevisions: 2025-11-25, 2025-11-25\n${goodBullet}`,
      /^house\.md:2: .*appears twice/,
    ],
    ['a file without requirement', '# T\nRevision: all\n', /^house\.md:0: no requirement found/],
  ])('reports %s', (_name, text, message) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  });

  it('collects all problems in the order of their lines, and shows them in one message', () => {
    const text = [
      'Revision: never',
      goodBullet.replace('MUST', 'X'),
      goodBullet.replace('server `', 'y `').replace('[-]', '[ ]'),
    ].join('\n');
    expect(problemsOf(text).map((problem) => problem.split(':')[1])).toEqual(['1', '1', '2', '3', '3']);
    expect(() => parseRequirements(text, 'house.md')).toThrow(
      /house\.md:2: bad level "X".*\n.*house\.md:3: bad role "y"/,
    );
  });
});

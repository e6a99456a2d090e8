import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderReport } from '../support/render-part.ts';
import { builtInFolder, templateFormats } from '../../src/report/handlebars/templates.ts';
import { precompileTemplates } from '../../src/tools/precompile-templates.ts';
import { runOf } from '../../src/core/model/reports/run-parts.ts';
import { sampleReport } from '../support/sample-report.ts';

const load = createRequire(import.meta.url);

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mcpc-templates-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
}

describe('the templates that ship', () => {
  const files = readdirSync(builtInFolder(), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.hbs'),
  );

  it('hold an entry for every format', () => {
    for (const format of templateFormats) expect(files).toContain(join(format, 'report.hbs'));
  });

  it.each(files)('%s has no raw output, and only if and each as logic', (file) => {
    const text = readFileSync(join(builtInFolder(), file), 'utf8');
    expect(text).not.toMatch(/\{\{\{|\{\{~?&/);
    const blocks = [...text.matchAll(/\{\{~?#([\w-]+)/g)].map((match) => match[1]);
    expect(blocks.filter((name) => name !== 'if' && name !== 'each')).toEqual([]);
  });

  it('render the same precompiled, without the compiler', async () => {
    const made = precompileTemplates(builtInFolder());
    expect(precompileTemplates(builtInFolder())).toEqual(made);
    for (const [format, code] of Object.entries(made)) write(`${format}.cjs`, code);
    vi.resetModules();
    vi.doMock('../../src/report/handlebars/precompiled.ts', () => ({
      precompiledTemplates: (format: string) => load(join(dir, `${format}.cjs`)),
    }));
    vi.doMock('../../src/report/handlebars/library.ts', () => ({
      handlebarsLibrary: () => {
        throw new Error('the compiler was loaded');
      },
    }));
    try {
      const fast = await import('../../src/report/parts/render.ts');
      for (const format of templateFormats) {
        expect(fast.renderReport(runOf(sampleReport()), format)).toBe(renderReport(sampleReport(), format));
      }
      write('markdown/report.hbs', 'x');
      expect(() => fast.renderReport(runOf(sampleReport()), 'markdown', { templatesDir: dir })).toThrow(
        'the compiler was loaded',
      );
    } finally {
      vi.doUnmock('../../src/report/handlebars/precompiled.ts');
      vi.doUnmock('../../src/handlebars/library.ts');
      vi.resetModules();
    }
  });
});

describe('templates of a user', () => {
  const render = (format: 'markdown' | 'html' | 'sarif' | 'junit') =>
    renderReport(sampleReport(), format, { templatesDir: dir });

  it('replace the entry', () => {
    write('markdown/report.hbs', 'Score {{score}} of {{md target.name}}\n');
    expect(render('markdown')).toBe('Score 53.1 of example-server\n');
  });

  it('replace a partial and may bring their own, the rest stays', () => {
    write('markdown/verdict.hbs', 'VERDICT {{code rule}} {{> mine}}');
    write('markdown/mine.hbs', '({{md level}})');
    const text = render('markdown');
    expect(text).toContain('VERDICT `ping/answer-empty-result` (MUST)');
    expect(text).toContain('## Areas');
  });

  it('leave other formats alone', () => {
    write('markdown/report.hbs', 'x');
    expect(render('junit')).toBe(renderReport(sampleReport(), 'junit'));
  });

  it('escape for HTML by themselves', () => {
    write('html/report.hbs', '{{#each groups}}{{#each verdicts}}{{message}}{{/each}}{{/each}}');
    expect(render('html')).not.toContain('<script>');
  });

  it('make hashes of what they embed', () => {
    write('html/script.hbs', '\nalert("own")\r\n');
    const html = render('html');
    expect(html).toContain('<script>\nalert("own")\n</script>');
    expect(/script-src '(sha256-[^']+)'/.exec(html)?.[1]).not.toBe(
      /script-src '(sha256-[^']+)'/.exec(renderReport(sampleReport(), 'html'))?.[1],
    );
  });

  it.each<[string, string, string, RegExp]>([
    [
      'a parse error',
      'markdown/report.hbs',
      'a\nb\n{{#if x}}',
      /Template .*markdown.report\.hbs: Parse error on line 3/,
    ],
    [
      'an unknown name',
      'markdown/report.hbs',
      'a\n{{nonsense}}',
      /Template .*markdown.report\.hbs: "nonsense" not defined.* 2:/,
    ],
    [
      'an unknown name in a partial',
      'markdown/verdict.hbs',
      'a\n\n{{nonsense}}',
      /Template .*markdown.verdict\.hbs: "nonsense" not defined.* 3:/,
    ],
    [
      'a missing partial',
      'markdown/report.hbs',
      'a\n{{#if score}}\n{{> absent}}{{/if}}',
      /Template .*markdown.report\.hbs, line 3: there is no template absent\.hbs/,
    ],
    ['an unknown helper', 'markdown/report.hbs', '{{shout score}}', /Template .*markdown.report\.hbs: .*"?shout/],
  ])('are refused for %s', (_name, file, text, message) => {
    write(file, text);
    expect(() => render('markdown')).toThrow(message);
  });

  it('are refused when they make no JSON', () => {
    write('sarif/report.hbs', '{"a": {{target.name}} }');
    expect(() => render('sarif')).toThrow(/sarif template does not make JSON/);
  });

  it('are refused when the folder is missing or holds no format', () => {
    expect(() => renderReport(sampleReport(), 'html', { templatesDir: join(dir, 'absent') })).toThrow(
      /no templates folder/,
    );
    write('htlm/report.hbs', 'x');
    expect(() => render('html')).toThrow(/holds none of the folders html, markdown/);
  });
});

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeCommandData,
  escapeCommandProperty,
  escapeJson,
  escapeMarkdown,
  escapeXml,
  markdownCode,
  markdownFence,
  sarifText,
} from '../../src/report/handlebars/helpers.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('</script>', ']]>', '<!--', '&amp;', '\u2028', '::error::'),
);

describe('json', () => {
  it('reads back and cannot end a script element', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = escapeJson(text);
        expect(JSON.parse(json)).toBe(text);
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
      }),
    );
    expect(escapeJson(undefined)).toBe('null');
  });

  it('doubles braces and parts link forms in SARIF messages', () => {
    expect(JSON.parse(sarifText('{0} [a](http://b)'))).toBe('{{0}} [a] (http://b)');
  });
});

describe('xml', () => {
  it('is well formed as content and attribute, and keeps what XML can hold', () => {
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      parseTagValue: false,
      parseAttributeValue: false,
      trimValues: false,
      htmlEntities: true,
    });
    fc.assert(
      fc.property(anyText, (text) => {
        const xml = `<a b="${escapeXml(text)}">x${escapeXml(text)}x</a>`;
        expect(XMLValidator.validate(xml)).toBe(true);
        // eslint-disable-next-line no-control-regex -- XML 1.0 cannot hold them
        expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      }),
    );
    const parsed = parser.parse(`<a b="${escapeXml('<&"\'>\n')}">${escapeXml('a ]]> & b\u0000')}</a>`) as {
      a: { b: string; '#text': string };
    };
    expect(parsed.a['#text']).toBe('a ]]> & b');
    expect(parsed.a.b).toBe('<&"\'>\n');
  });
});

describe('markdown', () => {
  it.each([
    ['<b>*x*</b>', '&lt;b&gt;\\*x\\*&lt;/b&gt;'],
    ['a|b', 'a\\|b'],
    ['53.1', '53.1'],
    ['1. one', '1\\. one'],
    ['- item', '\\- item'],
    ['# head', '\\# head'],
    ['see https://evil.example @all', 'see https&#58;//evil.example &#64;all'],
    ['two\nlines', 'two lines'],
  ])('%j becomes %j', (from, to) => {
    expect(escapeMarkdown(from)).toBe(to);
  });

  it('delimits code longer than any run of backticks inside', () => {
    expect(markdownCode('a')).toBe('`a`');
    expect(markdownCode('`a`` b')).toBe('``` `a`` b ```');
    expect(markdownFence('```\n<script>')).toBe('````text\n```\n<script>\n````');
  });
});

describe('workflow commands', () => {
  it('stay on one line and in their property', () => {
    expect(escapeCommandData('50% a\r\nb::c')).toBe('50%25 a%0D%0Ab::c');
    expect(escapeCommandProperty('a,b::c=d')).toBe('a%2Cb%3A%3Ac=d');
  });
});

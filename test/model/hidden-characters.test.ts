/** Planted characters are found with their places; ordinary emoji, flags and right-to-left texts are not reported. */
import { describe, expect, test } from 'vitest';
import { hiddenCharacters, lookAlikes } from '../../src/core/model/hidden-characters.ts';

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('planted in an English text', () => {
  const planted = [
    ...range(0x00, 0x08),
    ...range(0x0e, 0x1f),
    ...range(0x7f, 0x9f),
    0x034f,
    0x061c,
    0x115f,
    0x1160,
    0x180e,
    ...range(0x200b, 0x200f),
    ...range(0x202a, 0x202e),
    ...range(0x2060, 0x2064),
    ...range(0x2066, 0x206f),
    0x3164,
    0xfeff,
    0xffa0,
    ...range(0xfff9, 0xfffb),
    ...range(0xfe00, 0xfe0f),
    ...range(0xe0000, 0xe007f),
    ...range(0xe0100, 0xe01ef),
  ];
  test.each(planted)('%i is found', (code) => {
    const found = hiddenCharacters(`Reads a file.${String.fromCodePoint(code)}And more`);
    expect(found).toMatchObject([{ at: 13 }]);
    expect(found[0]!.code).toBe(`U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
    // The same within a word, and in the place where a flag begins.
    const within = `na${String.fromCodePoint(code)}me \u{1f3f4}${String.fromCodePoint(code)}.`;
    expect(hiddenCharacters(within).length).toBeGreaterThanOrEqual(1);
  });

  test('data in variation selectors behind an emoji is found but for the first', () => {
    expect(hiddenCharacters('\u{1f60a}\ufe0f\ufe04\u{e0130}\ufe0f')).toHaveLength(3);
  });

  test('a text in tag characters behind a flag is found but for the flag', () => {
    const flag = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    expect(hiddenCharacters(`${flag}\u{e0052}\u{e0075}\u{e006e}`)).toHaveLength(3);
    expect(hiddenCharacters(`\u{1f3f4}\u{e0052}\u{e0075}\u{e006e} it`)).toHaveLength(3);
  });
});

describe('ordinary', () => {
  test.each([
    '👩‍👩‍👧 👨🏽‍🚀 🏳️‍🌈 ❤️ ☎︎ 1️⃣ #️⃣ ✈️ 🇩🇪 🇬🇧 🧑‍🧑‍🧒‍🧒 👁️‍🗨️ ⛹🏿‍♀️',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Scotland, \u{1f3f4}\u200d☠️ pirates',
    'שלום \u200fעולם (abc)\u200e 123',
    'مرحبا \u061c 12\u200f بالعالم؛ می‌خواهم نمی‌دانم کتاب‌ها',
    'اسم الملف \u2068report.pdf\u2069 جاهز',
    'हिन्दी क्‍ष क्‌ष, বাংলা র‍্য, മലയാളം ന്‍',
    '日本語の説明、葛\u{e0100}飾区',
    'Line one\n\tline two\r\n',
    'A long com\u00adpound word, naïve café',
  ])('%s is not reported', (text) => {
    expect(hiddenCharacters(text)).toEqual([]);
    expect(lookAlikes(text)).toEqual([]);
  });
});

describe('look-alikes', () => {
  test.each<[string, string[]]>([
    ['p\u0430yp\u0430l', ['U+0430', 'U+0430']],
    ['Run \u0430dmin tools', ['U+0430']],
    ['g\u03bfogle', ['U+03BF']],
    ['Ищет файлы JSON и PDF, APIшка', []],
    ['Δx, μs, Ω and α-helix; ΔT', []],
    ['Поиск', []],
    ['а', []],
  ])('%s', (text, codes) => {
    expect(lookAlikes(text).map(({ code }) => code)).toEqual(codes);
  });
});

/**
 * Makes the command line start sooner. The bundle is split into many small files, and reading one as an ES module costs
 * more than its content. So the complete files are converted to CommonJS, and those that each start needs, or each run
 * of suites, are joined in one.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transformSync, type Metafile } from 'esbuild';
import { globSync } from 'tinyglobby';

/** A chunk that is loaded when needed. */
const ownImport = /\bimport\(("\.{1,2}\/[\w./-]+\.js")\)/g;
const ownRequire = /\brequire\("((?:\.{1,2}\/)+(?:chunks\/)?)([\w-]+)\.js"\)/g;

/**
 * Modules that are loaded together: which modules reach a chunk, and which of those it needs. A chunk is in the first
 * that takes it.
 */
const packs: readonly { name: string; roots: readonly string[]; takes(input: string): boolean }[] = [
  { name: 'start', roots: ['src/cli.ts'], takes: () => true },
  {
    name: 'suites',
    roots: ['src/suites/commands/support/run.ts', 'src/suites/commands/support/output.ts'],
    takes: (input) => input.includes('src/suites/') || input.includes('/report/suite/'),
  },
  {
    name: 'parts',
    roots: [
      'src/suites/commands/run.ts',
      'src/suites/commands/support/run.ts',
      'src/suites/commands/support/output.ts',
    ],
    takes: () => true,
  },
];
/** Larger ones stay files of their own. */
const largestBytes = 40_000;

/** Turns all ES modules of a folder into CommonJS, in place. */
export async function toCommonJs(folder: string, { outputs }: Metafile): Promise<void> {
  const files = globSync('**/*.js', { cwd: folder, absolute: true });
  await build({
    entryPoints: files,
    outdir: folder,
    outbase: folder,
    allowOverwrite: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'importMetaUrl' },
    legalComments: 'none',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  });
  const texts = new Map(
    files.map((file) => [
      file,
      withPlainExports(readFileSync(file, 'utf8')).replaceAll(ownImport, 'Promise.resolve().then(()=>require($1))'),
    ]),
  );
  const packOf = packed(outputs);
  const members = new Map<string, string[]>();
  for (const [file, text] of texts) {
    const chunk = basename(file, '.js');
    const pack = packOf.get(chunk);
    const linked = withShortNames(
      text.replaceAll(ownRequire, (whole, path: string, name: string) => {
        const other = packOf.get(name);
        if (other === undefined) return whole;
        return other === pack ? `load("${name}")` : `require("${path}${other}.js")("${name}")`;
      }),
    );
    if (pack === undefined) writeFileSync(file, withUrl(linked));
    else {
      // In parentheses it is compiled at once, not twice.
      members.set(pack, [...(members.get(pack) ?? []), `"${chunk}":(function(module){${linked}\n})`]);
      rmSync(file);
    }
  }
  for (const [pack, functions] of members) {
    const text = `"use strict";const loaded={};const files={${functions.join(',\n')}};const load=(name)=>{let module=loaded[name];if(module===undefined){loaded[name]=module={exports:{}};files[name](module)}return module.exports};module.exports=load;\n`;
    writeFileSync(join(folder, 'chunks', `${pack}.js`), withUrl(text));
  }
  // The package itself is one of ES modules.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
}

/**
 * esbuild reads exports through two functions at each use, since a variable may change. A function that is never
 * assigned does not, and judging a long trace calls such functions millions of times. Those are direct members of the
 * object of exports, and the others are read through one function.
 */
function withPlainExports(text: string): string {
  const [whole, name, list] = exportList.exec(text) ?? [];
  if (whole === undefined || !text.includes(`module.exports=__toCommonJS(${name})`)) return text;
  const entries = list!.split(',').map((entry) => entry.split(':()=>') as [exported: string, own: string]);
  const [plain, read] = [
    entries.filter(([, own]) => isLasting(own, text)),
    entries.filter(([, own]) => !isLasting(own, text)),
  ];
  return text
    .replace(
      whole,
      () =>
        `var ${name}={${plain.map(([exported, own]) => `${exported}:${own}`).join(',')}};__export(${name},{${read.map((entry) => entry.join(':()=>')).join(',')}});`,
    )
    .replace(`module.exports=__toCommonJS(${name})`, () => `module.exports=__defProp(${name},"__esModule",{value:!0})`);
}

const exportList = /var ([\w$]+)=\{\};__export\(\1,\{([\w$:()=>,]+)\}\);/;

/** True if a name is that of a function of the file that is never assigned. */
function isLasting(name: string, text: string): boolean {
  const own = name.replaceAll('$', String.raw`\$`);
  return (
    new RegExp(String.raw`function\*? ?${own}\(`).test(text) &&
    !new RegExp(String.raw`(?<![\w$.])${own}(?:[^\w\s"'()]{0,3}=(?![=>])|\+\+|--)|(?:\+\+|--)${own}(?![\w$])`).test(
      text,
    )
  );
}

/**
 * Shortens the names within functions. Names of functions, classes and methods of a file stay, so that a stack trace is
 * useful: esbuild keeps the top-level declarations of a file that it does not treat as a module.
 */
export function withShortNames(text: string): string {
  const { code } = transformSync(text, { platform: 'node', target: 'node20', legalComments: 'none', minify: true });
  // Dead code that shows ES modules in Node the exported names of a CommonJS module.
  return `${code}${exportedNames.exec(text)?.[0] ?? ''}`;
}

const exportedNames = /0&&\(module\.exports=\{[\w$,:]*\}\);?/;

function withUrl(text: string): string {
  return text.includes('importMetaUrl')
    ? `const importMetaUrl=require("node:url").pathToFileURL(__filename).href;${text}`
    : text;
}

/** Names of chunks, each with its pack. */
function packed(outputs: Metafile['outputs']): Map<string, string> {
  const packOf = new Map<string, string>();
  const chosen = (path: string): boolean => path.includes('/chunks/') && outputs[path]!.bytes <= largestBytes;
  for (const { name, roots, takes } of packs) {
    const reached = new Set<string>();
    const waiting = Object.keys(outputs).filter((path) => roots.includes(outputs[path]!.entryPoint ?? ''));
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      for (const { path: other, kind, external } of outputs[path]!.imports)
        if (kind === 'import-statement' && external !== true) waiting.push(other);
    }
    for (const path of reached)
      if (chosen(path) && !packOf.has(basename(path, '.js')) && Object.keys(outputs[path]!.inputs).every(takes))
        packOf.set(basename(path, '.js'), name);
  }
  return packOf;
}

/**
 * Compiles templates/ ahead of time into one ES module that stands in for src/report/handlebars/precompiled.ts in dist/,
 * so that rendering needs only the small Handlebars runtime. Writes nothing itself.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Handlebars from 'handlebars';
import { compileOptions, templateFolders } from '../report/handlebars/templates.ts';

/**
 * The text of a module that exports `precompiled`: format -> template name -> the code of a specification for
 * `Handlebars.template`. As text, since a run renders one format or none, and V8 reads all code that it is given.
 * Deterministic. @throws Error naming the file that does not compile.
 */
export function precompileTemplates(templatesDir: string): string {
  const formats = templateFolders.map((format) => {
    const folder = join(templatesDir, format);
    const files = readdirSync(folder).filter((file) => file.endsWith('.hbs')).sort();
    const entries = files.map((file) => `    ${JSON.stringify(basename(file, '.hbs'))}: ${JSON.stringify(precompile(join(folder, file)))}`);
    return `  ${JSON.stringify(format)}: {\n${entries.join(',\n')}\n  }`;
  });
  return `/** Made from templates/ by the build. */\nexport const precompiled = {\n${formats.join(',\n')}\n};\n`;
}

function precompile(file: string): string {
  try {
    return Handlebars.precompile(readFileSync(file, 'utf8').replace(/\r\n?/g, '\n'), compileOptions) as string;
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

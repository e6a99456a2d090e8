/**
 * Compiles templates/ ahead of time, so that rendering needs only the small Handlebars runtime. Writes nothing itself.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Handlebars from 'handlebars';
import { compileOptions, templateFolders } from '../report/handlebars/templates.ts';

/**
 * Format -> code of a CommonJS module that exports the specifications for `Handlebars.template`, by template name.
 * Deterministic. @throws Error naming the file that does not compile.
 */
export function precompileTemplates(templatesDir: string): Record<string, string> {
  return Object.fromEntries(
    templateFolders.map((format) => {
      const folder = join(templatesDir, format);
      const files = readdirSync(folder)
        .filter((file) => file.endsWith('.hbs'))
        .sort();
      const members = files.map(
        (file) => `${JSON.stringify(basename(file, '.hbs'))}: ${precompile(join(folder, file))}`,
      );
      return [format, `module.exports = {\n${members.join(',\n')}\n};\n`];
    }),
  );
}

function precompile(file: string): string {
  try {
    return Handlebars.precompile(readFileSync(file, 'utf8').replace(/\r\n?/g, '\n'), compileOptions) as string;
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Compiles templates/ ahead of time, so that rendering needs only the small Handlebars runtime. Writes nothing itself.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Handlebars from 'handlebars';
import { compileOptions, templateFolders } from '../report/handlebars/templates.ts';

/**
 * Format -> template name -> the code of a specification for `Handlebars.template`. As text, since a run renders one
 * format or none. Deterministic. @throws Error naming the file that does not compile.
 */
export function precompileTemplates(templatesDir: string): Record<string, Record<string, string>> {
  return Object.fromEntries(
    templateFolders.map((format) => {
      const folder = join(templatesDir, format);
      const files = readdirSync(folder)
        .filter((file) => file.endsWith('.hbs'))
        .sort();
      return [
        format,
        Object.fromEntries(files.map((file) => [basename(file, '.hbs'), precompile(join(folder, file))])),
      ];
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

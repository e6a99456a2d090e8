/**
 * Finds and runs the Handlebars templates of a format: precompiled ones where the build made them, else the files in
 * templates/, and always those of a user's folder first. It is independent of the content of a report.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Handlebars from 'handlebars';
import runtime from 'handlebars/runtime.js';
import { handlebarsLibrary } from './library.ts';
import { usageError } from '../../core/model/errors.ts';
import { registerHelpers } from './helpers.ts';
import { precompiledTemplates, type TemplateSpecification } from './precompiled.ts';
import { asText } from '../../core/model/json.ts';

/** Folder below the templates of each format; `report.hbs` in it is the entry, every other file a partial. */
export const templateFormats = ['html', 'markdown', 'junit', 'sarif', 'github', 'badge-json', 'badge-svg'] as const;
export type TemplateFormat = (typeof templateFormats)[number];

/** The same for reports of fleets. */
export const fleetTemplateFormats = [
  'fleet-html',
  'fleet-markdown',
  'fleet-issue',
  'fleet-diff',
  'fleet-junit',
  'fleet-sarif',
] as const;
export type FleetTemplateFormat = (typeof fleetTemplateFormats)[number];

/** The same for reports of suites. */
export const suiteTemplateFormats = [
  'suite-html',
  'suite-markdown',
  'suite-junit',
  'suite-github',
  'suite-sarif',
  'suite-ctrf',
  'suite-tap',
  'matrix-html',
  'matrix-markdown',
] as const;
export type SuiteTemplateFormat = (typeof suiteTemplateFormats)[number];

/** The page of a served client run, which follows the run live. */
const liveTemplateFormats = ['serve-html'] as const;

/** The same for reports about the tools of a server: audits and fuzz runs. */
const toolsTemplateFormats = ['tools-html', 'tools-markdown', 'tools-junit'] as const;
export type ToolsTemplateFormat = (typeof toolsTemplateFormats)[number];

/** Files that `mcpc init --project` writes; no reports. */
const projectTemplates = ['project-file', 'project-workflow'] as const;
export type TemplateFolder =
  | TemplateFormat
  | FleetTemplateFormat
  | SuiteTemplateFormat
  | ToolsTemplateFormat
  | (typeof liveTemplateFormats)[number]
  | (typeof projectTemplates)[number];
export const templateFolders: readonly TemplateFolder[] = [
  ...templateFormats,
  ...fleetTemplateFormats,
  ...suiteTemplateFormats,
  ...toolsTemplateFormats,
  ...projectTemplates,
  ...liveTemplateFormats,
];

/** Partials that a folder has from another one. */
const borrowed: Partial<Record<TemplateFolder, { from: TemplateFolder; names: readonly string[] }>> = {
  'fleet-html': { from: 'html', names: ['style', 'theme'] },
  'suite-html': { from: 'html', names: ['style', 'theme', 'wire'] },
  'matrix-html': { from: 'html', names: ['style', 'theme'] },
  'tools-html': { from: 'html', names: ['style', 'theme'] },
  'serve-html': { from: 'html', names: ['style', 'theme'] },
  'fleet-diff': { from: 'fleet-markdown', names: ['changes'] },
  'fleet-junit': { from: 'junit', names: ['case', 'detail'] },
  'fleet-sarif': { from: 'sarif', names: ['rule'] },
};

/** Compiler options of templates, here and in the build: an unknown name in a template is an error. */
export const compileOptions = { strict: true, preventIndent: true } as const;

const entry = 'report';
type Template = (context: unknown, options?: Handlebars.RuntimeOptions) => string;
type FullHandlebars = typeof Handlebars;

interface Source {
  /** Path for error messages. */
  file: string;
  text: string;
}

/**
 * Renders a format's entry template over a view.
 * @throws McpcError (usage) naming the file, and the line where Handlebars knows it.
 */
export function renderTemplate(format: TemplateFolder, view: object, templatesDir?: string): string {
  const own = templatesDir === undefined ? new Map<string, Source>() : ownTemplates(format, templatesDir);
  const render = (own.size === 0 ? builtIn(format) : undefined) ?? assemble(format, own);
  return render(view);
}

const cache = new Map<TemplateFolder, Template>();

function builtIn(format: TemplateFolder): Template {
  let template = cache.get(format);
  if (template === undefined) {
    template = assemble(format, new Map());
    cache.set(format, template);
  }
  return template;
}

/** One environment with the helpers and all templates of the format. */
function assemble(format: TemplateFolder, own: ReadonlyMap<string, Source>): Template {
  const specs = specsOf(format);
  const compiler = specs === undefined || own.size > 0 ? handlebarsLibrary() : undefined;
  const env = (compiler ?? (runtime as unknown as FullHandlebars)).create();

  const sources = new Map(specs === undefined ? filesOf(format) : []);
  for (const [name, source] of own) sources.set(name, source);
  const names = new Set([...Object.keys(specs ?? {}), ...sources.keys()]);

  const templates = new Map<string, Template>();
  for (const name of names) {
    const source = sources.get(name);
    const template = source === undefined ? env.template(specs![name]!) : compile(compiler!, env, source, names);
    templates.set(name, guard(template, source?.file ?? `${format}/${name}.hbs`));
  }
  // The text of a partial that needs no data, for hashes of inline scripts and styles.
  registerHelpers(env, (name) => templates.get(name)?.({}, { helpers: env.helpers }) ?? '');
  for (const [name, template] of templates) env.registerPartial(name, template);
  return templates.get(entry)!;
}

function compile(library: FullHandlebars, env: FullHandlebars, source: Source, names: ReadonlySet<string>): Template {
  let program: hbs.AST.Program;
  try {
    program = library.parse(source.text);
  } catch (error) {
    throw usageError(`Template ${source.file}: ${messageOf(error)}`, undefined, error);
  }
  class Partials extends library.Visitor {
    override PartialStatement(partial: hbs.AST.PartialStatement): void {
      const name = (partial.name as hbs.AST.PathExpression).original;
      if (typeof name === 'string' && !names.has(name)) {
        throw usageError(
          `Template ${source.file}, line ${partial.loc.start.line}: there is no template ${name}.hbs in the same folder.`,
          `Templates here: ${[...names].sort().join(', ')}.`,
        );
      }
      super.PartialStatement(partial);
    }
  }
  new Partials().accept(program);
  return env.compile(program, compileOptions);
}

/** Errors while rendering name the innermost template that they came from. */
function guard(template: Template, file: string): Template {
  return (context, options) => {
    try {
      return template(context, options);
    } catch (error) {
      if ((error as { stage?: unknown }).stage === 'usage') throw error;
      throw usageError(
        `Template ${file}: ${messageOf(error)}`,
        'See the templates that ship with mcpc for the names there are.',
        error,
      );
    }
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : asText(error);
}

/** The user's templates of one format. @throws McpcError (usage) when the folder is missing or holds none at all. */
function ownTemplates(format: TemplateFolder, dir: string): Map<string, Source> {
  if (!existsSync(dir)) throw usageError(`There is no templates folder ${dir}.`);
  if (!templateFolders.some((known) => existsSync(join(dir, known)))) {
    throw usageError(
      `The templates folder ${dir} holds none of the folders ${templateFormats.join(', ')}.`,
      `Put an own entry template for HTML at ${join(dir, 'html', `${entry}.hbs`)}.`,
    );
  }
  const folder = join(dir, format);
  return existsSync(folder) ? readFolder(folder) : new Map();
}

/** The compiled templates of a format, with the partials that it uses. */
function specsOf(format: TemplateFolder): Record<string, TemplateSpecification> | undefined {
  const own = precompiledTemplates(format);
  const lent = borrowed[format];
  if (own === undefined || lent === undefined) return own;
  const lender = precompiledTemplates(lent.from)!;
  return { ...Object.fromEntries(lent.names.map((name) => [name, lender[name]!])), ...own };
}

/** The same from the files. */
function filesOf(format: TemplateFolder): Map<string, Source> {
  const own = readFolder(join(builtInFolder(), format));
  const lent = borrowed[format];
  if (lent === undefined) return own;
  const source = readFolder(join(builtInFolder(), lent.from));
  return new Map([...lent.names.map((name): [string, Source] => [name, source.get(name)!]), ...own]);
}

function readFolder(folder: string): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.hbs'))
    .sort()) {
    const file = join(folder, name);
    sources.set(basename(name, '.hbs'), { file, text: readFileSync(file, 'utf8').replace(/\r\n?/g, '\n') });
  }
  return sources;
}

/** Where the templates lie when they were not precompiled. */
export function builtInFolder(): string {
  return fileURLToPath(new URL('../../../templates/', import.meta.url));
}

/**
 * Templates compiled ahead of time. Running from source there are none; the build puts a module in place of this one that
 * reads them from dist/, format by format; see tools/build-on-demand.ts.
 */

/** Template name -> code of a Handlebars template specification. */
export function precompiledTemplates(_format: string): Record<string, string> | undefined {
  return undefined;
}

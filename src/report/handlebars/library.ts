/**
 * The whole of Handlebars, which takes ten times as long to load as its runtime: only for what must be compiled. When
 * running from source it is imported directly; the build replaces this module by one that loads a file of dist/ on
 * demand; see tools/build-on-demand.ts.
 */
import handlebars from 'handlebars';

export function handlebarsLibrary(): typeof handlebars {
  return handlebars;
}

/**
 * The whole of Handlebars, which takes ten times as long to load as its runtime: only for what must be compiled. Running
 * from source it is simply there; the build puts a module in place of this one that loads a file of dist/ when it is
 * asked; see tools/build-on-demand.ts.
 */
import handlebars from 'handlebars';

export function handlebarsLibrary(): typeof handlebars {
  return handlebars;
}

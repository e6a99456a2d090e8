/**
 * Templates compiled ahead of time. When running from source there are none; the build replaces this module by one that
 * reads them from dist/, format by format; see tools/build-on-demand.ts.
 */

import type Handlebars from 'handlebars';

export type TemplateSpecification = Parameters<(typeof Handlebars)['template']>[0];

/** Template name -> specification for `Handlebars.template`. */
export function precompiledTemplates(_format: string): Record<string, TemplateSpecification> | undefined {
  return undefined;
}

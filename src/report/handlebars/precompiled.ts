/**
 * Templates compiled ahead of time: format -> template name -> code of a Handlebars template specification. Running from
 * source there are none; the build puts the module made by tools/precompile-templates.ts in place of this one.
 */
export const precompiled: Record<string, Record<string, string>> | null = null;

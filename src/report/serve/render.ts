/** The page of a served run: a checklist in, HTML out. */
import { renderTemplate } from '../handlebars/templates.ts';

/**
 * @param part the whole page, or what changes while it is open
 * @throws McpcError (usage) for a template that is missing or broken
 */
export function renderChecklist(checklist: object, part: 'page' | 'live', templatesDir?: string): string {
  return renderTemplate('serve-html', { ...checklist, isPage: part === 'page' }, templatesDir);
}

/** A view of an audit or a fuzz run in, one text of its templates out. Writes no file and prints nothing. */
import { renderTemplate } from '../handlebars/templates.ts';
import type { ToolsView } from './view.ts';

export type ToolsFormat = 'html' | 'markdown' | 'junit';

/** @throws McpcError (usage) for a template that is missing or broken */
export function renderTools(view: ToolsView, format: ToolsFormat, templatesDir?: string): string {
  return `${renderTemplate(`tools-${format}`, view, templatesDir).trimEnd()}\n`;
}

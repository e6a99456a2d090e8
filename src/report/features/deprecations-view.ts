/** Deprecated features in use, as pages and terminals show them: the way forward and the earliest removal, and no verdict. */
import type { PartReport } from '../../core/model/reports/run-parts.ts';
import { oneLine, plural } from '../text.ts';
import { indent, type Pen } from '../terminal-finding.ts';

export interface DeprecationView {
  title: string;
  role: string;
  since: string;
  /** A whole sentence. */
  instead: string;
  removal: string;
  link: string;
  /** As in `3, 4`; null where the transport shows it. */
  events: string | null;
}

export interface DeprecationsView {
  list: DeprecationView[];
  /** As in `2 features in use`. */
  summary: string;
}

/** Null where nothing deprecated was seen. */
export function deprecationsView({ deprecations = [] }: Pick<PartReport, 'deprecations'>): DeprecationsView | null {
  if (deprecations.length === 0) return null;
  const list = deprecations.map(({ title, role, since, instead, earliestRemoval, link, events }) => ({
    title: oneLine(title),
    role: oneLine(role),
    since: oneLine(since),
    instead: `${oneLine(instead).slice(0, 1).toUpperCase()}${oneLine(instead).slice(1)}.`,
    removal: oneLine(earliestRemoval),
    link: oneLine(link),
    events: events.length === 0 ? null : events.join(', '),
  }));
  return { list, summary: `${plural(list.length, 'feature')} in use` };
}

export function deprecationLines(view: DeprecationsView | null, pen: Pen): string[] {
  if (view === null) return [];
  const { c } = pen;
  return [
    '',
    `${c.bold('Deprecated')}  ${view.summary}; ${c.dim('advice, not counted')}`,
    ...view.list.flatMap(({ title, role, since, instead, removal, events }) => [
      ...indent(`${c.yellow('~')} ${title} (${role})${events === null ? '' : c.dim(` (events ${events})`)}`, 2, pen),
      ...indent(`${instead} Deprecated since ${since}; earliest removal: ${removal}.`, 4, pen),
    ]),
  ];
}

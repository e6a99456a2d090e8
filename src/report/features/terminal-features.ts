/** Optional features in a terminal: how many are used, or with --verbose each of them. */
import { indent, type Pen } from '../terminal-finding.ts';
import type { FeaturesView } from './features-view.ts';

export function featureLines(features: FeaturesView | null, pen: Pen, verbose: boolean): string[] {
  if (features === null) return [];
  const { c } = pen;
  const heading = `${c.bold('Optional features')}  ${features.summary}`;
  if (!verbose) return [`${heading}; ${c.dim('--verbose lists them')}`];
  return [
    '',
    heading,
    ...features.used.flatMap(({ rule, title, events }) =>
      indent(`${c.green('+')} ${rule}  ${title}${events === null ? '' : c.dim(` (events ${events})`)}`, 2, pen),
    ),
    ...features.unseen.flatMap(({ rule, title }) => indent(c.dim(`- ${rule}  ${title}: not seen`), 2, pen)),
  ];
}

/** What a page shows first, and what it folds. */
import type { VerdictView } from '../verdict-view.ts';

/** Verdicts of one area, folded on a page. */
export interface AreaFold {
  area: string;
  id: string;
  verdicts: VerdictView[];
}

const mostWorst = 3;

/** Failures that a reader looks at first: those of a MUST, then those that explain most others. @param views one for each cause */
export function worstOf(views: readonly VerdictView[]): VerdictView[] {
  const weight = ({ level, also }: VerdictView): number => (level.startsWith('MUST') ? 1000 : 0) + also.length;
  return views
    .filter((verdict) => verdict.tone === 'violation' && !verdict.known)
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, mostWorst);
}

/** Verdicts that need no attention, folded by area. */
export function byArea(verdicts: readonly VerdictView[], id: string): AreaFold[] {
  const areas = new Map<string, VerdictView[]>();
  for (const verdict of verdicts) areas.set(verdict.area, [...(areas.get(verdict.area) ?? []), verdict]);
  return [...areas].map(([area, own]) => ({ area, id: `${id}-${area}`, verdicts: own }));
}

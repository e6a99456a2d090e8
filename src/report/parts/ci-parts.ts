/** The machine formats of a run with several parts: JUnit totals and suites, and the badge. */
import { badgeWith, disabledText, type CiViews } from '../check/ci-views.ts';
import type { ReportView } from '../check/view-model.ts';

type Section = ReportView & CiViews;

/** Of a run with one part, what that part has. */
export function joinedCiViews(sections: readonly Section[]): Pick<Section, 'junit' | 'badge' | 'seconds'> {
  const [first] = sections as readonly [Section];
  return sections.length === 1
    ? { junit: first.junit, badge: first.badge, seconds: first.seconds }
    : {
        junit: joinedJunit(sections),
        badge: joinedBadge(sections),
        seconds: sections.reduce((sum, { seconds }) => sum + Number(seconds), 0).toFixed(3),
      };
}

function joinedJunit(sections: readonly Section[]): CiViews['junit'] {
  const sum = (key: 'tests' | 'failures' | 'errors' | 'skipped'): number =>
    sections.reduce((n, { junit }) => n + junit[key], 0);
  return {
    tests: sum('tests'),
    failures: sum('failures'),
    errors: sum('errors'),
    skipped: sum('skipped'),
    suites: sections.flatMap(({ junit }) => junit.suites),
  };
}

const shades = ['a', 'b', 'c', 'd', 'e', 'f', 'none'];

/** As bad as its worst part. */
function joinedBadge(sections: readonly Section[]): CiViews['badge'] {
  const label = `MCP ${sections.map(({ revision }) => revision).join(', ')}`;
  const worst = sections.reduce((one, other) =>
    shades.indexOf(other.gradeClass) > shades.indexOf(one.gradeClass) ? other : one,
  );
  const compliant = sections.every((section) => section.compliant);
  if (sections.some(({ incomplete }) => incomplete !== null) || (sections[0]!.partsOf?.incomplete ?? null) !== null)
    return badgeWith(label, 'incomplete', 'none', true);
  const message = `${sections.map(({ grade, score }) => `${grade} · ${score}`).join(', ')}${compliant ? '' : ' · not compliant'}${disabledText(sections[0]!.disabled)}`;
  return badgeWith(
    label,
    message,
    !compliant && shades.indexOf(worst.gradeClass) < shades.indexOf('d') ? 'd' : worst.gradeClass,
    !compliant,
  );
}

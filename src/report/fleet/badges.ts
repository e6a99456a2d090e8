/** Badges of a fleet and of each of its servers, as SVG or as an endpoint for shields. */
import type { FleetServer } from '../../core/model/reports/fleet.ts';
import { disabledView, type DisabledView } from '../check/disabled-view.ts';
import { badgeOf, badgeWith, disabledText } from '../check/ci-views.ts';
import type { Badge } from '../check/ci-views.ts';
import { renderTemplate } from '../handlebars/templates.ts';
import { coverageText, formatScore, oneLine } from '../text.ts';
import { appliesTo, gradeClassOf, statusWords } from './server-view.ts';

export type BadgeFormat = 'badge-json' | 'badge-svg';

/** @throws McpcError (usage) for a broken template */
export function renderBadge(badge: Badge, format: BadgeFormat, templatesDir?: string): string {
  return `${renderTemplate(format, { badge }, templatesDir).trimEnd()}\n`;
}

/** Of one server; without a verdict it says so, and is grey. @param profile as a view names it, null for the whole check */
export function serverBadge(server: FleetServer, profile: string | null = null): Badge {
  if (server.status !== 'checked')
    return badgeWith(labelOf('MCP', profile), statusWords[server.status].label.toLowerCase(), 'none', true);
  return badgeOf({
    revision: oneLine(server.revision ?? ''),
    score: formatScore(server.score),
    grade: oneLine(server.grade ?? '–'),
    compliant: server.compliant === true,
    gradeClass: gradeClassOf(server.grade),
    incomplete: server.reason,
    profile,
    coverage: coverageText(server.decided, appliesTo(server)),
    disabled: disabledView(server.disabled),
  });
}

/** Of the whole fleet: green only when every server is compliant. */
export function fleetBadge(
  total: number,
  compliant: number,
  profile: string | null,
  disabled: DisabledView | null = null,
): Badge {
  const share = total === 0 ? 0 : compliant / total;
  const shade = total === 0 ? 'none' : share === 1 ? 'a' : share >= 0.5 ? 'd' : 'f';
  return badgeWith(
    labelOf('MCP fleet', profile),
    total === 0 ? 'nothing checked' : `${compliant} of ${total} compliant${disabledText(disabled)}`,
    shade,
    share < 1,
  );
}

/** The check was not a full one, so the badge must say so. */
function labelOf(text: string, profile: string | null): string {
  return profile === null ? text : `${text}, quick`;
}

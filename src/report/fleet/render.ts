/** One run over a fleet in, one text out, in any format. Writes no file and prints nothing. */
import { usageError } from '../../core/model/errors.ts';
import type { FleetServer } from '../../core/model/reports/fleet.ts';
import type { FleetDiff } from '../../core/model/reports/fleet-compare.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { renderJson } from '../parts/render.ts';
import { renderTemplate } from '../handlebars/templates.ts';
import { disabledView } from '../check/disabled-view.ts';
import { fleetBadge, renderBadge } from './badges.ts';
import { changesView } from './changes-view.ts';
import { renderChat } from './chat.ts';
import { renderFleetJunit, renderFleetSarif } from './ci.ts';
import { renderCsv } from './csv.ts';
import { profileWords } from '../text.ts';
import { pageData } from './page-data.ts';
import { renderChanges, renderFleetTerminal } from './terminal.ts';
import type { FleetTerminalOptions } from './terminal.ts';
import { sectionsOf } from './server-view.ts';
import { fleetView } from './view.ts';
import type { FleetLimits, FleetSources, FleetView } from './view.ts';

export const fleetFormats = [
  'terminal',
  'json',
  'html',
  'markdown',
  'issue',
  'chat',
  'csv',
  'junit',
  'sarif',
  'badge-json',
  'badge-svg',
] as const;
export type FleetFormat = (typeof fleetFormats)[number];

export interface FleetMaterial extends FleetSources {
  /** The report of a server's check, read when it is asked for and not kept; null when there is none. */
  reportOf(server: FleetServer): RunReport | null;
}

export interface FleetRenderOptions extends FleetTerminalOptions {
  templatesDir?: string;
  /** HTML only: a page of each server is at `servers/<id>/index.html` next to this one. */
  pages?: boolean;
}

/** Number of entries of each list that a format shows; the JSON has all. */
const limits: Record<'html' | 'markdown' | 'issue' | 'terminal' | 'chat', FleetLimits> = {
  html: { rules: 30, servers: 500, named: 8, changed: 20 },
  markdown: { rules: 30, servers: 100, named: 10, changed: 10 },
  issue: { rules: 20, servers: 30, named: 10, changed: 10 },
  terminal: { rules: 30, servers: 30, named: 10, changed: 10 },
  // A line counts them all, and names few.
  chat: { rules: Infinity, servers: Infinity, named: 3, changed: Infinity },
};

/**
 * The text in pieces, so that a large fleet is never in memory as a whole; the last piece ends with a line feed.
 * @throws McpcError (usage) for a missing or broken template
 */
export function* renderFleet(
  material: FleetMaterial,
  format: FleetFormat,
  options: FleetRenderOptions = {},
): Generator<string> {
  const { report } = material;
  const view = (which: keyof typeof limits): FleetView =>
    fleetView(material, limits[which], which === 'html' && options.pages === true);
  const template = (folder: 'fleet-html' | 'fleet-markdown' | 'fleet-issue', context: object): string =>
    `${renderTemplate(folder, context, options.templatesDir).trimEnd()}\n`;
  switch (format) {
    case 'json':
      return yield renderJson(report);
    case 'terminal':
      return yield renderFleetTerminal(view('terminal'), options);
    case 'html': {
      const shown = view('html');
      return yield template('fleet-html', { ...shown, page: pageData(report, shown) });
    }
    case 'markdown': {
      const shown = view('markdown');
      return yield template('fleet-markdown', {
        ...shown,
        sections: sectionsOf(shown.ranked.slice(0, 200)),
        moreRanked: Math.max(0, report.servers.length - 200),
      });
    }
    case 'issue':
      return yield withinIssue(template('fleet-issue', view('issue')));
    case 'chat':
      return yield renderChat(view('chat'));
    case 'csv':
      return yield* renderCsv(report);
    case 'junit':
      return yield* renderFleetJunit(material, options.templatesDir);
    case 'sarif':
      return yield* renderFleetSarif(material, options.templatesDir);
    case 'badge-json':
    case 'badge-svg':
      return yield renderBadge(
        fleetBadge(
          report.servers.length,
          report.servers.filter(({ compliant }) => compliant === true).length,
          profileWords(report.ruleSet),
          disabledView(report.servers.flatMap(({ disabled = [] }) => disabled)),
        ),
        format,
        options.templatesDir,
      );
  }
}

/** A comparison alone, as Markdown or for a terminal. */
export function renderFleetDiff(
  diff: FleetDiff,
  format: 'markdown' | 'terminal',
  options: FleetRenderOptions = {},
): string {
  const changes = changesView(diff, [], { rules: limits[format].rules, servers: limits[format].changed });
  if (format === 'terminal') return renderChanges(changes, options);
  return `${renderTemplate('fleet-diff', { changes }, options.templatesDir).trimEnd()}\n`;
}

/** The format of a name given by a user. @throws McpcError (usage) listing the names there are. */
export function fleetFormat(name: string): FleetFormat {
  const found = fleetFormats.find((format) => format === name);
  if (found === undefined)
    throw usageError(`"${name}" is no report format of a fleet; use one of ${fleetFormats.join(', ')}.`);
  return found;
}

/** Maximum size of a GitHub issue body, with room for additions. */
const longestIssue = 60_000;

function withinIssue(text: string): string {
  if (text.length <= longestIssue) return text;
  const cut = text.slice(0, longestIssue);
  return `${cut.slice(0, cut.lastIndexOf('\n'))}\n\n… cut off; the rest is in the report of the run.\n`;
}

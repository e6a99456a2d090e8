/** Data for the script of the dashboard: numbers to sort by, and the verdicts of all servers as letters. */
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import { featureLetters, profileAnchor } from '../features/fleet-features.ts';
import { oneLine, shorten } from '../text.ts';
import { verdictAnchor } from '../verdict-view.ts';
import { coverageOf } from './server-view.ts';
import type { ServerView } from './server-view.ts';
import type { FleetView } from './view.ts';

/** Rows that stand in the page itself, and so show without scripts; the others wait in a template element. */
const firstRows = 100;

export interface PageData {
  first: ServerView[];
  rest: ServerView[];
  /** There is a verdict to draw a heat map of. */
  heat: boolean;
  /** Embedded as JSON; members of `servers` and of the lists in `sort` are in the order of the report. */
  json: {
    servers: { n: string; h: string | null; s: string; t: string[]; c: string }[];
    sort: { score: number[]; decided: number[]; start: number[]; rank: number[] };
    /** Rules, and behind the first `verdictRules` of them optional features. */
    rules: { r: string; t: string; a: string }[];
    verdictRules: number;
    letters: string[];
  };
}

export function pageData(report: FleetReport, view: FleetView): PageData {
  const servers = [...view.ranked].sort((a, b) => a.index - b.index);
  return {
    first: view.ranked.slice(0, firstRows),
    rest: view.ranked.slice(firstRows),
    heat: report.rules.length > 0 && report.servers.some((server) => server.verdicts !== null),
    json: {
      servers: servers.map(({ name, page, status, tags, complianceTone }) => ({
        n: shorten(name, 60),
        h: page,
        s: status,
        t: tags,
        c: complianceTone,
      })),
      // A number below nought is unknown, and sorts behind all others whichever way.
      sort: {
        score: report.servers.map((server) => server.score ?? -1),
        decided: report.servers.map(coverageOf),
        start: report.servers.map((server) => server.startUpMs ?? -1),
        rank: servers.map((server) => server.order),
      },
      rules: [
        ...report.rules.map(({ id, title }) => ({
          r: oneLine(id),
          t: shorten(oneLine(title), 120),
          a: verdictAnchor(id),
        })),
        ...(report.features ?? []).map(({ id, title }) => ({
          r: oneLine(id),
          t: shorten(oneLine(title), 120),
          a: profileAnchor,
        })),
      ],
      verdictRules: report.rules.length,
      letters: report.servers.map((server) =>
        server.verdicts === null ? '' : server.verdicts + featureLetters(report, server),
      ),
    },
  };
}

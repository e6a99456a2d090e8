/** One server of a fleet as it is shown: a line of the leaderboard, with what it is sorted and found by. Nothing is escaped or decided. */
import type { FleetPastRun, PastServer } from '../../core/model/reports/fleet-compare.ts';
import type { FleetServer, FleetStatus } from '../../core/model/reports/fleet.ts';
import { coverageText, formatDuration, formatScore, oneLine, shorten } from '../text.ts';
import { sparkOf } from './spark.ts';
import type { Spark } from './spark.ts';

export const statusWords: Record<FleetStatus, { label: string; heading: string }> = {
  checked: { label: 'Checked', heading: 'Checked' },
  unreachable: { label: 'Unreachable', heading: 'Could not be reached' },
  timeout: { label: 'Out of time', heading: 'Did not end in time' },
  error: { label: 'Not checked', heading: 'Could not be checked' },
};

export interface ServerView {
  /** Place in the report. */
  index: number;
  /** Place on the board, from 1: by `section`, in it by grade, then by score. */
  order: number;
  /** Rank among servers judged by the same revision, since other scores do not compare; null without a score. */
  rank: number | null;
  /** The group of the ranks: `MCP 2025-11-25`, or the absence of a score. */
  section: string;
  /** The section, where this is its first server and there are several; else null. */
  heading: string | null;
  id: string;
  /** At most 120 characters. */
  name: string;
  status: FleetStatus;
  statusLabel: string;
  statusHeading: string;
  /** Page of the server, relative to the dashboard; null when there is none. */
  page: string | null;
  score: string;
  scoreValue: number | null;
  grade: string;
  /** Fit for a class name: `a` … `f`, or `none`. */
  gradeClass: string;
  compliance: 'Compliant' | 'Known failures' | 'Not compliant' | 'Incomplete' | `Speaks ${string}` | '–';
  complianceTone: 'good' | 'known' | 'bad' | 'open';
  coverage: string;
  decided: number;
  /** All but what does not apply, and what is conditional. */
  applies: number;
  violations: number;
  warnings: number;
  revision: string;
  transport: string;
  /** Name and version that the server gives itself, and its SDK; an en dash when unknown. */
  server: string;
  sdk: string;
  startUp: string;
  duration: string;
  owner: string;
  tags: string[];
  reason: string | null;
  /** Compliance of the server, or why it is unknown. */
  outcome: string;
  attempts: number;
  carriedFrom: string | null;
  spark: Spark | null;
  /** `B → A`, or null when the grade was the same throughout. */
  grades: string | null;
}

const transports = { stdio: 'stdio', http: 'Streamable HTTP', sse: 'HTTP+SSE' } as const;

/** All servers in the order of the report. @param pages whether there is a page for each report */
export function serverViews(
  servers: readonly FleetServer[],
  history: readonly FleetPastRun[],
  pages: boolean,
): ServerView[] {
  const sections = servers.map(sectionOf);
  const order = servers
    .map((_, index) => index)
    .sort(
      (a, b) =>
        bySection(sections[a]!, sections[b]!) ||
        (servers[a]!.grade ?? '').localeCompare(servers[b]!.grade ?? '', 'en') ||
        (servers[b]!.score ?? -1) - (servers[a]!.score ?? -1) ||
        coverageOf(servers[b]!) - coverageOf(servers[a]!) ||
        a - b,
    );
  const begins = new Map<string, number>();
  order.forEach((index, at) => {
    if (!begins.has(sections[index]!)) begins.set(sections[index]!, at);
  });
  const places = new Map(order.map((index, at) => [index, at]));
  return servers.map((server, index) => {
    const section = sections[index]!;
    const at = places.get(index)!;
    const rank = section === withoutScore ? null : at - begins.get(section)! + 1;
    const heading = begins.size > 1 && begins.get(section) === at ? section : null;
    return viewOf(server, index, { order: at + 1, rank, section, heading }, history, pages);
  });
}

/** Servers in the order of the board, those of each section together. */
export function sectionsOf(ranked: readonly ServerView[]): { heading: string | null; servers: ServerView[] }[] {
  return [...new Set(ranked.map(({ section }) => section))].map((section) => {
    const servers = ranked.filter((server) => server.section === section);
    return { heading: servers[0]!.heading, servers };
  });
}

const withoutScore = 'Without a score';

function sectionOf({ score, revision, kind }: FleetServer): string {
  return score === null ? withoutScore : `${kind === 'client' ? 'Clients, ' : ''}MCP ${orDash(revision)}`;
}

/** The newest revision first; names of revisions are dates. */
function bySection(a: string, b: string): number {
  if (a === b) return 0;
  return a === withoutScore ? 1 : b === withoutScore ? -1 : a < b ? 1 : -1;
}

/** Its earlier state, if it was judged by the same revision. */
function earlier(server: FleetServer, { servers }: FleetPastRun): PastServer | undefined {
  const found = servers[server.id] ?? (server.base === undefined ? undefined : servers[server.base.id]);
  const other =
    found !== undefined &&
    server.revision !== null &&
    typeof found.revision === 'string' &&
    found.revision !== server.revision;
  return other ? undefined : found;
}

function viewOf(
  server: FleetServer,
  index: number,
  place: Pick<ServerView, 'order' | 'rank' | 'section' | 'heading'>,
  history: readonly FleetPastRun[],
  pages: boolean,
): ServerView {
  const failed = (severity: 'error' | 'warning'): number =>
    server.failures.filter((failure) => failure.severity === severity && failure.cause === undefined).length;
  const past = history.map((run) => earlier(server, run));
  return {
    index,
    ...place,
    id: server.id,
    name: `${nameOf(server.name)}${server.kind === 'client' ? ' (client)' : ''}`,
    status: server.status,
    statusLabel: statusWords[server.status].label,
    statusHeading: statusWords[server.status].heading,
    page: pages && server.report !== null ? `servers/${encodeURIComponent(server.id)}/index.html` : null,
    score: formatScore(server.score),
    scoreValue: server.score,
    grade: server.grade === null ? '–' : oneLine(server.grade),
    gradeClass: gradeClassOf(server.grade),
    ...complianceOf(server),
    outcome: server.status === 'checked' ? complianceOf(server).compliance : statusWords[server.status].label,
    coverage: coverageText(server.decided, appliesTo(server)),
    decided: server.decided,
    applies: appliesTo(server),
    violations: failed('error'),
    warnings: failed('warning'),
    revision: orDash(server.revision),
    transport: server.transport === null ? '–' : transports[server.transport],
    server: orDash(
      [server.serverInfo?.title ?? server.serverInfo?.name, server.serverInfo?.version]
        .filter((part) => typeof part === 'string')
        .join(' '),
    ),
    sdk:
      server.sdk === null
        ? '–'
        : orDash([server.sdk.name, server.sdk.version].filter((part) => part !== undefined).join(' ')),
    startUp: server.startUpMs === null ? '–' : formatDuration(server.startUpMs),
    duration: formatDuration(server.durationMs),
    owner: orDash(server.owner ?? null),
    tags: server.tags.map((tag) => shorten(oneLine(tag), 40)),
    reason: server.reason === null ? null : shorten(oneLine(server.reason), 500),
    attempts: server.attempts,
    carriedFrom: server.carriedFrom === undefined ? null : oneLine(server.carriedFrom),
    spark: sparkOf([...past.map((one) => one?.score ?? null), server.score]),
    grades: gradesOf([...past.map((one) => one?.grade ?? null), server.grade]),
  };
}

/** `a` … `f`, or `none`. */
export function gradeClassOf(grade: string | null): string {
  return /^[A-F]/.exec(grade ?? '')?.[0].toLowerCase() ?? 'none';
}

/** A name that a page can hold. */
export function nameOf(name: string): string {
  return shorten(oneLine(name), 120) || '(no name)';
}

function complianceOf({
  status,
  reason,
  compliant,
  failures,
  counts,
  speaks,
}: FleetServer): Pick<ServerView, 'compliance' | 'complianceTone'> {
  if (compliant === null && speaks !== undefined)
    return { compliance: `Speaks ${shorten(oneLine(speaks), 40)}`, complianceTone: 'open' };
  if (compliant === null)
    return { compliance: status === 'checked' && reason !== null ? 'Incomplete' : '–', complianceTone: 'open' };
  if (compliant) return { compliance: 'Compliant', complianceTone: 'good' };
  const unknown =
    failures.some((failure) => failure.severity === 'error' && failure.known !== true) || (counts?.error ?? 0) > 0;
  return unknown
    ? { compliance: 'Not compliant', complianceTone: 'bad' }
    : { compliance: 'Known failures', complianceTone: 'known' };
}

type Counted = Pick<FleetServer, 'decided' | 'applicable' | 'conditional'>;

/** Number of requirements that apply in any case. */
export function appliesTo({ applicable, conditional = 0 }: Counted): number {
  return applicable - conditional;
}

/** Share of what was decided, 0 to 1; -1 when nothing applies. */
export function coverageOf(server: Counted): number {
  const applies = appliesTo(server);
  return applies === 0 ? -1 : server.decided / applies;
}

/** The grades that a server went through, each once until it changed; the last four. */
function gradesOf(grades: readonly (string | null)[]): string | null {
  const known = grades.filter((grade) => grade !== null);
  const steps = known.filter((grade, index) => grade !== known[index - 1]).map(oneLine);
  return steps.length < 2 ? null : `${steps.length > 4 ? '… → ' : ''}${steps.slice(-4).join(' → ')}`;
}

function orDash(text: string | null): string {
  const shown = shorten(oneLine(text ?? ''), 120);
  return shown === '' ? '–' : shown;
}

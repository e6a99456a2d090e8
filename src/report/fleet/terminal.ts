/** A fleet for a terminal: what changed, the servers worst first, what is not as it has to be. */
import { withoutCommands } from '../../core/model/ci-logs.ts';
import pc from 'picocolors';
import { plainTable } from '../plain-table.ts';
import { capital, plural, shorten } from '../text.ts';
import type { ChangedRule, ChangesView } from './changes-view.ts';
import type { ServerView } from './server-view.ts';
import type { FleetView } from './view.ts';

export interface FleetTerminalOptions {
  /** Colours; by default as the environment asks. */
  color?: boolean;
  /** Columns; by default those of the terminal, or 100. */
  width?: number;
  /** Every server rather than the worst ones. */
  verbose?: boolean;
}

type Colors = ReturnType<typeof pc.createColors>;

/** Servers that are shown unless all are asked for. */
const mostServers = 25;
const mostRules = 10;

export function renderFleetTerminal(view: FleetView, options: FleetTerminalOptions = {}): string {
  const { c, width } = penOf(options);
  const lines = [
    `${paint(view, c)}  mean score ${view.mean}${view.grades === '' ? '' : `  ${view.grades}`}`,
    `  ${view.reason}`,
    c.dim(
      `  ${view.startedAt}, ${view.profile === null ? '' : `${view.profile}, `}${plural(view.ruleSet.rules, 'rule')}, digest ${view.ruleSet.shortDigest}, ${view.duration}`,
    ),
    ...(view.incomplete === null ? [] : [c.yellow(`  INCOMPLETE: ${view.incomplete}`)]),
    ...(view.changes === null ? [] : ['', ...changesLines(view.changes, c, width)]),
    '',
    ...servers(view, c, options.verbose === true),
    ...list(
      c.bold('Rules that fail most'),
      view.failing
        .slice(0, mostRules)
        .map((rule) => `${String(rule.failed).padStart(5)}  ${c.red(rule.rule)} ${c.dim(rule.level)}  ${rule.title}`),
      view.failing.length - mostRules + view.moreFailing,
      'rule',
    ),
    ...list(
      c.bold('Without a whole verdict'),
      view.without.map(
        ({ name, status, reason }) =>
          `${c.yellow('○')} ${shorten(name, 40)}  ${c.dim(status)}  ${shorten(reason, width * 2)}`,
      ),
      view.moreWithout,
      'server',
    ),
    ...list(
      c.bold('Not spoken, and not checked'),
      view.unspoken.map((line) => c.dim(shorten(line, width - 4))),
      0,
      'server',
    ),
    ...list(
      c.bold('Suites'),
      view.suites.map(
        ({ name, tone, words, failures }) =>
          `${tone === 'good' ? c.green('✓') : c.red('✗')} ${shorten(name, 40)}  ${words}${failures === '' ? '' : `  ${shorten(failures, width * 2)}`}`,
      ),
      view.moreSuites,
      'server',
    ),
    ...(view.disabled === null
      ? []
      : list(
          c.bold(`Disabled in the project file: ${view.disabled.summary}`),
          view.disabled.entries.map(
            ({ name, rule, state, stale, reason, until, from }) =>
              `${stale ? c.red('✗') : c.dim('○')} ${shorten(name, 40)}  ${rule}: ${state}. ${shorten(reason, width * 2)} (${until === null ? '' : `until ${until}, `}${from})`,
          ),
          view.disabled.more,
          'entry',
        )),
    ...list(
      c.bold('Broken policies'),
      view.broken.map(
        ({ policy, tag, server, why }) =>
          `${c.red('✗')} ${shorten(server, 40)}  ${c.dim(tag === '' ? policy : `${policy} of ${tag}`)}  ${why}`,
      ),
      view.moreBroken,
      'policy',
    ),
  ];
  return textOf(lines);
}

/** A comparison of two runs alone. */
export function renderChanges(changes: ChangesView, options: FleetTerminalOptions = {}): string {
  const { c, width } = penOf(options);
  return textOf(changesLines(changes, c, width));
}

function penOf(options: FleetTerminalOptions): { c: Colors; width: number } {
  return {
    c: pc.createColors(options.color ?? pc.isColorSupported),
    width: Math.min(140, Math.max(60, options.width ?? process.stdout.columns ?? 100)),
  };
}

function textOf(lines: readonly string[]): string {
  return withoutCommands(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
}

function paint(view: FleetView, c: Colors): string {
  const text = view.headline.toUpperCase();
  return view.headlineTone === 'good' ? c.bold(c.green(text)) : c.bold(c.red(text));
}

/** Changes since another run. */
function changesLines(changes: ChangesView, c: Colors, width: number): string[] {
  const rules = (heading: string, sign: string, groups: readonly ChangedRule[]): string[] =>
    list(
      heading,
      groups.flatMap((rule) => [
        `${sign} ${rule.rule} ${c.dim(`${rule.level}${rule.counts ? '' : ', does not count'}`)}  ${rule.title}`,
        `    ${rule.servers.map((server) => `${server.name} (${server.before}${server.known ? ', known' : ''})`).join(', ')}${rule.more > 0 ? ` and ${rule.more} more` : ''}`,
      ]),
      0,
      'rule',
    );
  const lines = [
    `${c.bold(`Since ${changes.since}`)}  ${changes.summary}`,
    ...(changes.ruleSetChanged
      ? [
          c.yellow(
            '  The runs used different rule sets: their scores are not comparable, and new rules are listed separately.',
          ),
        ]
      : []),
    ...rules(c.bold(c.red('Regressions')), c.red('✗'), changes.regressions),
    ...(changes.moreRegressions > 0 ? [`  … and ${plural(changes.moreRegressions, 'rule')} more`] : []),
    ...list(
      c.bold(c.red('Lost')),
      changes.lost.map(
        ({ name, status, reason }) => `${c.red('✗')} ${name}  ${c.dim(status)}  ${shorten(reason, width * 2)}`,
      ),
      0,
      'server',
    ),
    ...rules(c.bold(c.green('Fixed')), c.green('✓'), changes.fixes),
    ...rules(c.bold('New rules that fail'), c.yellow('!'), changes.newRules),
    ...rules(c.bold('Failed before, undecided now'), c.yellow('○'), changes.undecided),
    ...list(
      c.bold('Scores'),
      changes.scores.map(
        ({ name, from, to, delta, tone }) =>
          `${shorten(name, 40)}  ${from} → ${to}  ${tone === 'good' ? c.green(delta) : c.red(delta)}`,
      ),
      changes.moreScores,
      'server',
    ),
    ...list(
      c.bold('Suites'),
      changes.suites.map(
        ({ name, failing, mended, from, to }) =>
          `${shorten(name, 40)}  ${from} → ${to}${failing === '' ? '' : `  ${c.red(`fails now: ${failing}`)}`}${mended === '' ? '' : `  ${c.green(`passes now: ${mended}`)}`}`,
      ),
      0,
      'server',
    ),
    ...list(
      c.bold('Optional features'),
      changes.features.map(
        ({ name, came, went }) =>
          `${shorten(name, 40)}${came === '' ? '' : `  came: ${came}`}${went === '' ? '' : `  went: ${went}`}`,
      ),
      changes.moreFeatures,
      'server',
    ),
  ];
  for (const [what, names] of [
    ['Added', changes.added],
    ['Removed', changes.removed],
    ['Not in this run', changes.notRun],
    ['Can be checked again', changes.returned.join(', ')],
  ] as const) {
    if (names !== '') lines.push(`  ${c.bold(what)}: ${shorten(names, width * 2)}`);
  }
  for (const { name, from, to } of changes.revisions)
    lines.push(`  ${c.bold('Other revision')}: ${name}, MCP ${from} → ${to}; not compared`);
  for (const { from, to } of changes.renamed) lines.push(`  ${c.bold('Renamed')}: ${from} → ${to}`);
  return lines;
}

function servers(view: FleetView, c: Colors, all: boolean): string[] {
  const worst = [...view.ranked].sort(
    (a, b) =>
      gradeOf(b).localeCompare(gradeOf(a), 'en') || (a.scoreValue ?? -1) - (b.scoreValue ?? -1) || a.index - b.index,
  );
  const shown = all ? view.ranked : worst.filter((server) => server.status === 'checked').slice(0, mostServers);
  if (shown.length === 0) return [];
  const table = plainTable(
    ['server', 'score', 'grade', 'decided', 'violated', 'warned', 'revision', 'start', 'owner'].map((head) =>
      c.dim(head),
    ),
    ['left', 'right', 'left', 'right', 'right', 'right', 'left', 'right', 'left'],
  );
  const none = (n: number): string => (n === 0 ? c.dim('·') : String(n));
  for (const server of shown)
    table.push([
      nameOf(server, c),
      server.score,
      server.grade,
      server.coverage,
      none(server.violations),
      none(server.warnings),
      server.revision,
      server.startUp,
      shorten(server.owner, 20),
    ]);
  const more = view.checked - shown.length;
  return [
    c.bold(`${capital(view.entries)}${all ? '' : more > 0 ? ', the worst' : ', worst first'}`),
    ...table.toString().split('\n'),
    ...(!all && more > 0 ? [c.dim(`  … and ${plural(more, 'server')} more`)] : []),
  ];
}

/** Servers without a grade stand with the worst. */
function gradeOf({ grade, scoreValue }: ServerView): string {
  return scoreValue === null ? 'Z' : grade;
}

function nameOf(server: ServerView, c: Colors): string {
  const name = shorten(server.name, 36);
  return { good: c.green, bad: c.red, known: c.yellow, open: c.dim }[server.complianceTone](name);
}

function list(heading: string, lines: readonly string[], more: number, one: string): string[] {
  if (lines.length === 0) return [];
  return [
    '',
    heading,
    ...lines.map((line) => `  ${line}`),
    ...(more > 0
      ? [`  … and ${plural(more, one, one === 'policy' ? 'policies' : one === 'entry' ? 'entries' : undefined)} more`]
      : []),
  ];
}

/** Two runs over a fleet side by side: what got worse, what got better, what is new. Pure; it decides no exit code. */
import { usageError } from '../../core/model/errors.ts';
import type {
  FeatureChange,
  FleetDiff,
  FleetSide,
  Reached,
  RuleChange,
  ServerName,
  StatusChange,
  SuiteChange,
} from '../../core/model/reports/fleet-compare.ts';
import type { FleetReport, FleetServer } from '../../core/model/reports/fleet.ts';
import { decodeVerdict, type VerdictState } from '../../core/model/reports/verdict-codes.ts';

/**
 * Servers are the same by id, and compared where both runs judged them by the same revision; rules are the same by id. Lists are in the order of the newer run, and of its rules.
 * @throws McpcError usage for runs of different profiles
 */
export function diffFleet(older: FleetReport, newer: FleetReport): FleetDiff {
  refuseOtherProfile(older, newer.ruleSet.profile);
  const before = new Map(older.servers.map((server) => [server.id, server]));
  const now = new Map(newer.servers.map((server) => [server.id, server]));
  const pairs = newer.servers.flatMap((server) => {
    const old = before.get(server.id) ?? asWhole(server, before.get(server.base?.id ?? ''));
    return old === undefined ? [] : [{ old, server }];
  });
  // Revisions have different requirements: a server that adds one did not get worse.
  const other = ({ old, server }: Pair): boolean =>
    old.revision !== null && server.revision !== null && old.revision !== server.revision;
  const both = pairs.filter((pair) => !other(pair));
  const met = new Set(pairs.map(({ old }) => old.id));
  const paired = new Set(pairs.map(({ server }) => server));
  const gone = older.servers.filter((server) => !now.has(server.id) && !met.has(server.id)).map(nameOf);
  const whole = newer.incomplete === null && newer.shards === undefined;
  const statusChanges = pairs
    .filter(({ old, server }) => old.status !== server.status)
    .map(
      ({ old, server }): StatusChange => ({
        ...nameOf(server),
        from: old.status,
        to: server.status,
        reason: server.reason,
      }),
    );
  const lost = statusChanges.filter((change) => change.from === 'checked');
  const changes = ruleChanges(older, newer, both);
  const suites = suiteChanges(both);
  const worse =
    changes.regressions.filter((change) => change.severity === 'error' && !change.known).length +
    lost.length +
    suites.reduce((sum, { failing }) => sum + failing.length, 0);
  return {
    older: sideOf(older),
    newer: sideOf(newer),
    ruleSetChanged: older.ruleSet.digest !== newer.ruleSet.digest,
    added: newer.servers.filter((server) => !paired.has(server)).map(nameOf),
    removed: whole ? gone : [],
    notRun: whole ? [] : gone,
    revisionChanges: pairs
      .filter(other)
      .map(({ old, server }) => ({ ...nameOf(server), from: old.revision!, to: server.revision! })),
    renamed: pairs
      .filter(({ old, server }) => old.id === server.id && old.name !== server.name)
      .map(({ old, server }) => ({ id: server.id, from: old.name, to: server.name })),
    statusChanges,
    lost,
    ...changes,
    scores: both
      .filter(
        ({ old, server }) =>
          old.status === 'checked' && server.status === 'checked' && differs(reached(old), reached(server)),
      )
      .map(({ old, server }) => ({ ...nameOf(server), from: reached(old), to: reached(server) })),
    suites,
    features: featureChanges(older, newer, both),
    worse,
  };
}

/** @throws McpcError usage when the runs have different profiles: their failures and scores do not compare */
export function refuseOtherProfile(older: FleetReport, profile: 'quick' | undefined): void {
  if (older.ruleSet.profile === profile) return;
  const names = [older, { ruleSet: { profile } }].map(({ ruleSet }) => ruleSet.profile ?? 'full');
  throw usageError(
    `Runs of different profiles do not compare: the older one asked for ${names[0]}, the newer one for ${names[1]}.`,
    'Name two runs of the same profile.',
  );
}

/** One revision of a server, and the line that the server had as a whole, where that was of the same revision. */
function asWhole(server: FleetServer, old: FleetServer | undefined): FleetServer | undefined {
  return old?.revision === server.revision ? old : undefined;
}

/** Names of cases are kept up to a hundred; of more only the rates are compared. */
function suiteChanges(both: readonly Pair[]): SuiteChange[] {
  return both.flatMap(({ old, server }): SuiteChange[] => {
    if (!old.suite || !server.suite) return [];
    const [before, now] = [old.suite, server.suite];
    const failing =
      before.failed > before.failures.length ? [] : now.failures.filter((name) => !before.failures.includes(name));
    const mended =
      now.failed > now.failures.length || now.incomplete !== null
        ? []
        : before.failures.filter((name) => !now.failures.includes(name));
    return failing.length + mended.length === 0 && before.passRate === now.passRate
      ? []
      : [{ ...nameOf(server), failing, mended, from: before.passRate, to: now.passRate }];
  });
}

/** Where both runs looked for a feature, and of checks that were whole: half of one may not have come to it. */
function featureChanges(older: FleetReport, newer: FleetReport, both: readonly Pair[]): FeatureChange[] {
  const lookedFor = new Set((older.features ?? []).map(({ id }) => id));
  const common = (newer.features ?? []).filter(({ id }) => lookedFor.has(id));
  const isWhole = ({ status, reason }: FleetServer): boolean => status === 'checked' && reason === null;
  return both.flatMap(({ old, server }): FeatureChange[] => {
    if (old.features === undefined || server.features === undefined) return [];
    const [before, now] = [new Set(old.features), new Set(server.features)];
    const came = isWhole(old) ? common.filter(({ id }) => now.has(id) && !before.has(id)) : [];
    const went = isWhole(server) ? common.filter(({ id }) => before.has(id) && !now.has(id)) : [];
    return came.length + went.length === 0 ? [] : [{ ...nameOf(server), came, went }];
  });
}

type Pair = { old: FleetServer; server: FleetServer };

/** Of servers that were checked in both runs; there is nothing to compare with otherwise. */
function ruleChanges(
  older: FleetReport,
  newer: FleetReport,
  both: readonly Pair[],
): Pick<FleetDiff, 'regressions' | 'fixes' | 'undecided' | 'newRules'> {
  const titles = new Map([...older.rules, ...newer.rules].map(({ id, title }) => [id, title]));
  const knownRules = new Set(older.rules.map(({ id }) => id));
  const found: Pick<FleetDiff, 'regressions' | 'fixes' | 'undecided' | 'newRules'> = {
    regressions: [],
    fixes: [],
    undecided: [],
    newRules: [],
  };
  const places = { older: placesOf(older), newer: placesOf(newer) };
  for (const { old, server } of both) {
    if (old.verdicts === null || server.verdicts === null) continue;
    const oldFailures = new Map(old.failures.map((failure) => [failure.rule, failure]));
    const newFailures = new Map(server.failures.map((failure) => [failure.rule, failure]));
    for (const rule of new Set([...newFailures.keys(), ...oldFailures.keys()])) {
      const failsNow = newFailures.get(rule);
      const failed = oldFailures.get(rule);
      if (failsNow !== undefined && failed !== undefined) continue;
      const { level, severity, known = false } = (failsNow ?? failed)!;
      const states = { before: stateAt(old, places.older.get(rule)), now: stateAt(server, places.newer.get(rule)) };
      const change: RuleChange = {
        ...nameOf(server),
        rule,
        title: titles.get(rule) ?? rule,
        level,
        severity,
        known,
        ...states,
      };
      if (failsNow !== undefined) (knownRules.has(rule) ? found.regressions : found.newRules).push(change);
      // Of a check that did not end, only what failed is certain.
      else (states.now === 'pass' && server.status === 'checked' ? found.fixes : found.undecided).push(change);
    }
  }
  return found;
}

function placesOf(report: FleetReport): Map<string, number> {
  return new Map(report.rules.map(({ id }, index) => [id, index]));
}

function stateAt(server: FleetServer, place: number | undefined): VerdictState {
  return place === undefined ? 'absent' : decodeVerdict(server.verdicts?.[place]).state;
}

function nameOf({ id, name }: FleetServer): ServerName {
  return { id, name };
}

function reached({ score, grade, compliant, revision }: FleetServer): Reached {
  return { score, grade, compliant, revision };
}

function differs(one: Reached, other: Reached): boolean {
  return (
    one.score !== other.score ||
    one.grade !== other.grade ||
    one.compliant !== other.compliant ||
    one.revision !== other.revision
  );
}

function sideOf({ startedAt, servers, ruleSet, incomplete }: FleetReport): FleetSide {
  return { startedAt, servers: servers.length, ruleSet: ruleSet.digest, incomplete };
}

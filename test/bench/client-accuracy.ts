/**
 * `npm run accuracy`, the part about clients: which faults of the reference client the rules catch, which unrelated rules
 * fail beside them, and which liberties of it are failed.
 */
import pLimit from 'p-limit';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { ReferenceOptions } from '../reference-client/client.ts';
import {
  clientFaults,
  clientLiberties,
  clientSettings,
  rulesBy,
  runFault,
  runReference,
  settingsOfFault,
  unrelatedRules,
  type ClientFault,
  type ClientSetting,
} from '../support/reference-client.ts';
import { loadProject } from '../support/rules.ts';

interface Asked {
  /** Every revision instead of the newest of each transport. */
  all: boolean;
  spec?: string;
  /** Only faults and liberties whose name and transport contain it. */
  text: string;
}

interface Row {
  due: number;
  caught: number;
  unrelated: number;
  liberties: number;
  failed: number;
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** @returns true when every fault was caught, and nothing else failed */
export async function printClientAccuracy({ all, spec, text }: Asked): Promise<boolean> {
  const began = performance.now();
  const limit = pLimit(6);
  const rows = new Map<string, Row>();
  const rowOf = ({ transport }: ClientSetting): Row => {
    const row = rows.get(transport) ?? { due: 0, caught: 0, unrelated: 0, liberties: 0, failed: 0 };
    rows.set(transport, row);
    return row;
  };
  const due = (settings: readonly ClientSetting[]): ClientSetting[] =>
    settings.filter(
      (one) =>
        (spec === undefined || one.revision === spec) &&
        (all || settings.findLast(({ transport }) => transport === one.transport) === one || spec !== undefined),
    );

  /** What a busy machine may have spoilt: looked at again at the end, one at a time. */
  const again: (() => Promise<void>)[] = [];

  async function tryFault(fault: ClientFault, setting: ClientSetting, isAgain = false): Promise<void> {
    const where = `client ${fault.id} (${setting.transport}, ${setting.revision})`;
    const row = rowOf(setting);
    const found = await attempt(async () => failuresIn(await runFault(setting, fault)));
    const isAsWanted =
      typeof found !== 'string' && found.includes(fault.rule) && unrelatedRules(fault, found).length === 0;
    if (!isAsWanted && !isAgain) return void again.push(() => tryFault(fault, setting, true));
    row.due += 1;
    if (typeof found === 'string') return void say(`CHECK FAILED    ${where}: ${found}`);
    if (found.includes(fault.rule)) row.caught += 1;
    else say(`NOT BY NAME     ${where}: failed: ${found.join(', ') || 'nothing'}`);
    const unrelated = unrelatedRules(fault, found);
    row.unrelated += unrelated.length;
    for (const rule of unrelated) say(`UNRELATED       ${where}: ${rule}`);
  }

  async function tryLiberty(
    name: string,
    options: ReferenceOptionsOnly,
    setting: ClientSetting,
    isAgain = false,
  ): Promise<void> {
    const row = rowOf(setting);
    const found = await attempt(async () => failuresIn(await runReference(setting, options)));
    if (found.length > 0 && !isAgain) return void again.push(() => tryLiberty(name, options, setting, true));
    row.liberties += 1;
    if (found.length > 0) row.failed += 1;
    if (found.length > 0)
      say(`VARIANT FAILED  client ${name} (${setting.transport}, ${setting.revision}): ${String(found)}`);
  }

  const isWanted = (name: string, { transport }: ClientSetting): boolean =>
    `client ${name} ${transport}`.includes(text);
  const faults = clientFaults(await loadProject()).flatMap((fault) =>
    due(settingsOfFault(fault)).flatMap((setting) =>
      isWanted(fault.id, setting) ? [limit(() => tryFault(fault, setting))] : [],
    ),
  );
  const liberties = clientLiberties.flatMap(({ name, options }) =>
    due(libertySettings(all)).flatMap((setting) =>
      isWanted(name, setting) ? [limit(() => tryLiberty(name, options, setting))] : [],
    ),
  );
  await Promise.all([...faults, ...liberties]);
  const lookedAtAgain = again.length;
  for (const look of again) await look();

  const total = [...rows.values()];
  const sum = (of: keyof Row): number => total.reduce((count, row) => count + row[of], 0);
  say('');
  for (const [transport, row] of rows)
    say(
      `clients over ${transport.padEnd(6)}                     ${row.caught} of ${row.due} caught by name, ${row.unrelated} unrelated, ${row.failed} of ${row.liberties} legal variants failed`,
    );
  say(`faults of clients caught by the rule they name  ${sum('caught')} of ${sum('due')}`);
  say(`unrelated rules that failed             ${sum('unrelated')}`);
  say(`legal variants of clients failed        ${sum('failed')} of ${sum('liberties')}`);
  say(`looked at again, alone                  ${lookedAtAgain}`);
  say(`took                                    ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return sum('caught') === sum('due') && sum('unrelated') === 0 && sum('failed') === 0;
}

type ReferenceOptionsOnly = Omit<ReferenceOptions, 'revision'>;

/** The newest stateful revision of each transport counts as well: liberties of logins and sessions belong to it. */
function libertySettings(all: boolean): readonly ClientSetting[] {
  return all ? clientSettings : clientSettings.filter(({ revision }) => revision <= '2025-11-25');
}

function failuresIn(report: RunReport): string[] {
  return [...rulesBy(report, 'fail'), ...rulesBy(report, 'error')];
}

async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

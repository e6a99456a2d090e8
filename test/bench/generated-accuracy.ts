/**
 * `npm run accuracy -- --generated`: how many of the faults made by machine are reported by a rule that names their
 * requirement, and how many of the legal variants made by machine are failed.
 */
import pLimit from 'p-limit';
import { settings } from '../support/accuracy.ts';
import { openSetting, shareOf } from '../support/generated/cases.ts';
import { grouped, runGroup, type CaseOutcome } from '../support/generated/run-cases.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { drawn } from '../support/run/draw.ts';

interface Asked {
  /** How many faults, and beside them a third as many variants; absent: all, each on one transport of each revision. */
  sample?: number;
  seed: string;
  /** Only those of one revision. */
  spec?: string;
  /** Only faults whose id contains it. */
  text: string;
}

interface Tally {
  faults: number;
  reported: number;
  variants: number;
  failed: number;
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** @returns true when every fault was reported and no variant failed */
export async function printGeneratedAccuracy({ sample, seed, spec, text }: Asked): Promise<boolean> {
  const lab = await openReferenceLab();
  const due = settings.filter(({ revision }) => spec === undefined || revision === spec);
  // Most of a check is waiting.
  const limit = pLimit(16);
  const began = performance.now();
  const outcomes: CaseOutcome[] = [];
  const beside = { unruled: 0, silent: 0 };

  try {
    for (const setting of due) {
      const open = await openSetting(lab, setting);
      const most =
        sample === undefined
          ? { faults: Number.POSITIVE_INFINITY, variants: Number.POSITIVE_INFINITY }
          : await shareOf(setting, sample, due);
      const turns = settings.filter(({ revision }) => revision === setting.revision).map(({ transport }) => transport);
      const isDue = ({ id, transports }: { id: string; transports: readonly string[] }): boolean => {
        const possible = turns.filter((transport) => transports.includes(transport));
        return (
          id.includes(text) &&
          (sample !== undefined || possible[drawn(seed, id, setting.revision) % possible.length] === setting.transport)
        );
      };
      const { faults, variants, unruled, silent } = await open.draw(most, seed, isDue);
      beside.unruled += unruled.length;
      beside.silent += silent;
      const groups = [...grouped(faults, seed), ...grouped(variants, seed)];
      const found = (await Promise.all(groups.map((group) => limit(() => runGroup(lab, group))))).flat();
      outcomes.push(...found);
      for (const one of found) if (!one.right) say(lineOf(one));
      say(`${setting.transport} ${setting.revision}: ${rates(tallyOf(found))}`);
    }
  } finally {
    await lab.close();
  }

  table('area', outcomes, ({ one }) => one.generated.area);
  table('transport', outcomes, ({ one }) => one.transport);
  table('revision', outcomes, ({ one }) => one.revision);
  const sum = tallyOf(outcomes);
  say(`\nfaults reported by a rule that names their requirement   ${percent(sum.reported, sum.faults)}`);
  say(`legal variants failed                                    ${sum.failed} of ${sum.variants}`);
  say(`violations for which no rule is written                  ${beside.unruled}`);
  say(`drawn, but of messages that the server never sends       ${beside.silent}`);
  say(
    `took                                                     ${((performance.now() - began) / 1000).toFixed(0)} s, seed ${seed}`,
  );
  return sum.reported === sum.faults && sum.failed === 0;
}

function lineOf({ one, silent, failed }: CaseOutcome): string {
  const what = one.rules === undefined ? 'VARIANT FAILED' : silent ? 'not shown     ' : 'MISSED        ';
  const rules = one.rules === undefined ? '' : ` wants ${[...one.rules].join(' or ')};`;
  return `${what}  ${one.id} (${one.transport}, ${one.revision}):${rules} failed: ${failed.join(', ') || 'nothing'}`;
}

/** A fault that did not show in a check was not there to be reported. */
function tallyOf(outcomes: readonly CaseOutcome[]): Tally {
  const shown = outcomes.filter(({ silent }) => !silent);
  const faults = shown.filter(({ one }) => one.rules !== undefined);
  const variants = shown.filter(({ one }) => one.rules === undefined);
  return {
    faults: faults.length,
    reported: faults.filter(({ right }) => right).length,
    variants: variants.length,
    failed: variants.filter(({ right }) => !right).length,
  };
}

function table(title: string, outcomes: readonly CaseOutcome[], keyOf: (outcome: CaseOutcome) => string): void {
  say(`\nby ${title}`);
  for (const key of [...new Set(outcomes.map(keyOf))].sort())
    say(`  ${key.padEnd(16)}${rates(tallyOf(outcomes.filter((one) => keyOf(one) === key)))}`);
}

function rates({ faults, reported, variants, failed }: Tally): string {
  return `${percent(reported, faults).padEnd(24)}variants failed ${failed} of ${variants}`;
}

function percent(part: number, whole: number): string {
  return `${part} of ${whole}${whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(1)}%)`}`;
}

/** `npm run accuracy -- --generated`, the part about clients: faults made by machine on what the reference client sends. */
import pLimit from 'p-limit';
import { clientSettings } from '../support/reference-client.ts';
import { drawClientCases, runClientCase, type ClientCase } from '../support/generated/client-cases.ts';

interface Asked {
  /** How many faults in all settings together; absent: all. */
  sample?: number;
  seed: string;
  spec?: string;
  text: string;
}

interface Outcome {
  one: ClientCase;
  right: boolean;
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** @returns true when every fault was reported and no variant failed */
export async function printGeneratedClientAccuracy({ sample, seed, spec, text }: Asked): Promise<boolean> {
  const began = performance.now();
  const limit = pLimit(6);
  const settings = clientSettings.filter(({ revision }) => spec === undefined || revision === spec);
  const most = sample === undefined ? Number.POSITIVE_INFINITY : Math.ceil(sample / settings.length);
  const outcomes: Outcome[] = [];
  let unruled = 0;
  for (const setting of settings) {
    const drawn = await drawClientCases(setting, most, seed);
    unruled += drawn.unruled;
    const due = drawn.cases.filter(({ generated: { id } }) => id.includes(text));
    await Promise.all(due.map((one) => limit(() => attempt(one))));
  }

  async function attempt(one: ClientCase): Promise<void> {
    const { generated, revision, rules, transport } = one;
    const where = `client ${generated.id} (${transport}, ${revision})`;
    const { right, failed } = await runClientCase(one).catch((error: unknown) => ({
      right: false,
      failed: [error instanceof Error ? error.message : String(error)],
    }));
    outcomes.push({ one, right });
    if (right) return;
    const wanted = rules === undefined ? 'VARIANT FAILED' : `MISSED          wants ${rules.join(' or ')};`;
    say(`${wanted}  ${where} failed: ${failed.join(', ') || 'nothing'}`);
  }

  for (const { transport, revision } of settings)
    say(
      `clients, ${transport} ${revision}: ${rates(outcomes.filter(({ one }) => one.transport === transport && one.revision === revision))}`,
    );
  say(`faults of clients reported by a rule that names their requirement, legal variants: ${rates(outcomes)}`);
  say(`violations of clients for which no rule is written ${unruled}`);
  say(`took ${((performance.now() - began) / 1000).toFixed(0)} s, seed ${seed}`);
  return outcomes.every(({ right }) => right);
}

function rates(outcomes: readonly Outcome[]): string {
  const faults = outcomes.filter(({ one }) => one.rules !== undefined);
  const variants = outcomes.filter(({ one }) => one.rules === undefined);
  const right = faults.filter((one) => one.right).length;
  const failed = variants.filter((one) => !one.right).length;
  return `${right} of ${faults.length}, variants failed ${failed} of ${variants.length}`;
}

/** Generated faults in the reference client: which show, and what comes of each. */
import { readGeneratedPlan } from '../../../src/check/plan.ts';
import { operatorsOf } from '../../../src/core/faults/operators.ts';
import { loadValidators } from '../../../src/files/package/load-validators.ts';
import { generatedClientFaults } from '../../../src/testkit/generated-faults/client-faults.ts';
import type { GeneratedFault } from '../../../src/testkit/generated-faults/generated-fault.ts';
import { rulesBy, runReference, type ClientSetting } from '../reference-client.ts';
import { shuffled } from '../run/draw.ts';
import { befalls, distinct, type Sent } from './watched-fault.ts';

export interface ClientCase extends ClientSetting {
  generated: GeneratedFault;
  /** Rules that name a requirement that it violates; undefined for a legal variant. */
  rules: readonly string[] | undefined;
}

/** What was drawn of the generated faults of clients in a setting. */
export interface DrawnOfClients {
  cases: ClientCase[];
  /** Violations that no rule is bound to. */
  unruled: number;
}

const { rules } = readGeneratedPlan();

/** Of what the reference client sends in a setting: so many faults, and a third as many variants, in the order of the seed. */
export async function drawClientCases(setting: ClientSetting, most: number, seed: string): Promise<DrawnOfClients> {
  const { transport, revision } = setting;
  const messages: Sent[] = [];
  await runReference(
    setting,
    {
      watch: (message, { kind, method, connection }) =>
        void messages.push({ message: structuredClone(message), about: { kind, method }, connection }),
    },
    { rule: [] },
  );
  const various = distinct(messages);
  const validators = await loadValidators(revision);
  const shows = (generated: GeneratedFault): boolean =>
    operatorsOf(generated.fault).some(({ over }) => over !== 'message') || befalls(generated, validators, various, []);
  const due = (await generatedClientFaults()).filter(
    ({ at, transports }) => at[revision] !== undefined && transports.includes(transport),
  );
  const drawn: DrawnOfClients = { cases: [], unruled: 0 };
  const count = { faults: 0, variants: 0 };
  for (const generated of shuffled(due, ({ id }) => `${seed} ${transport} ${revision} ${id}`)) {
    const violated = generated.at[revision]!;
    const isLegal = violated === 'legal';
    if (isLegal ? count.variants >= Math.ceil(most / 3) : count.faults >= most) continue;
    if (!shows(generated)) continue;
    const bound = isLegal ? undefined : rulesFor(violated, setting);
    if (bound?.length === 0) {
      drawn.unruled += 1;
      continue;
    }
    if (isLegal) count.variants += 1;
    else count.faults += 1;
    drawn.cases.push({ ...setting, generated, rules: bound });
  }
  return drawn;
}

function rulesFor(requirements: readonly string[], { transport, revision }: ClientSetting): string[] {
  return rules
    .filter(
      ({ role, at, transports, requirements: named }) =>
        role === 'client' &&
        at[revision] !== undefined &&
        transports.includes(transport) &&
        named.some((id) => requirements.includes(id)),
    )
    .map(({ id }) => id);
}

/** @returns what failed, and whether that is right: a rule that names the requirement of a fault, nothing for a variant */
export async function runClientCase(one: ClientCase): Promise<{ right: boolean; failed: string[] }> {
  const report = await runReference(one, { faults: [one.generated.fault] }, { rule: one.rules ?? [] });
  const failed = [...rulesBy(report, 'fail'), ...rulesBy(report, 'error')];
  return {
    right: one.rules === undefined ? failed.length === 0 : failed.some((rule) => one.rules!.includes(rule)),
    failed,
  };
}

/** Which generated faults are due in which setting, and which rules may report them. */
import { readGeneratedPlan } from '../../../src/check/plan.ts';
import type { GeneratedFault } from '../../../src/testkit/generated-faults/generated-fault.ts';
import { generatedFaults } from '../../../src/testkit/generated-faults/list.ts';
import { loadValidators } from '../../../src/files/package/load-validators.ts';
import type { MessageValidators } from '../../../src/core/spec/messages/message-validator.ts';
import { settings, type Setting } from '../accuracy.ts';
import type { ReferenceLab } from '../reference-server.ts';
import { shuffled } from '../run/draw.ts';
import { befalls, distinct, type Replied, type Sent } from './watched-fault.ts';

export interface FaultCase extends Setting {
  id: string;
  generated: GeneratedFault;
  /** Rules that name a requirement that it violates; undefined for a legal variant. */
  rules: ReadonlySet<string> | undefined;
  validators: MessageValidators;
}

/** What was drawn of the generated faults in a setting. */
export interface Drawn {
  faults: FaultCase[];
  variants: FaultCase[];
  /** Violations that no rule is bound to, for want of a rule or of a requirement. */
  unruled: FaultCase[];
  /** Faults of messages that the reference server never sends there, so that they show nowhere. */
  silent: number;
}

/** A setting with what a compliant server sends there. */
export interface OpenSetting extends Setting {
  /**
   * In the order of the seed, until there are so many of each.
   * @param isDue narrows what is drawn from
   */
  draw(
    most: { faults: number; variants: number },
    seed: string,
    isDue?: (generated: GeneratedFault) => boolean,
  ): Promise<Drawn>;
}

const { rules } = readGeneratedPlan();

/** Finds out by one check of the compliant server what it sends. */
export async function openSetting(lab: ReferenceLab, { transport, revision }: Setting): Promise<OpenSetting> {
  const messages: Sent[] = [];
  const replies: Replied[] = [];
  await lab.check({
    transport,
    revision,
    inMemory: true,
    change: {
      outgoing: (message, { kind, method, session }) => {
        messages.push({ message, about: { kind, method }, connection: session });
        return [message];
      },
      http: {
        head: (head, replying) => {
          replies.push({ head, replying });
          return head;
        },
      },
    },
  });
  const various = distinct(messages);
  const validators = await loadValidators(revision);
  const shows = (generated: GeneratedFault): boolean =>
    befalls(generated, validators, generated.fault.on.nth === undefined ? various : messages, replies);

  return {
    transport,
    revision,
    async draw(most, seed, isDue = () => true) {
      const drawnCases: Drawn = { faults: [], variants: [], unruled: [], silent: 0 };
      const due = (await generatedFaults()).filter(
        (generated) =>
          generated.at[revision] !== undefined && generated.transports.includes(transport) && isDue(generated),
      );
      for (const generated of shuffled(due, ({ id }) => `${seed} ${transport} ${revision} ${id}`)) {
        const violated = generated.at[revision]!;
        const isVariant = violated === 'legal';
        if (isVariant ? drawnCases.variants.length >= most.variants : drawnCases.faults.length >= most.faults) continue;
        if (!shows(generated)) {
          drawnCases.silent += 1;
          continue;
        }
        const one: FaultCase = {
          id: generated.id,
          generated,
          transport,
          revision,
          validators,
          rules: isVariant ? undefined : rulesFor(violated, { transport, revision }),
        };
        if (one.rules === undefined) drawnCases.variants.push(one);
        else (one.rules.size === 0 ? drawnCases.unruled : drawnCases.faults).push(one);
      }
      return drawnCases;
    },
  };
}

function rulesFor(requirements: readonly string[], { transport, revision }: Setting): Set<string> {
  const bound = rules.filter(
    ({ role, at, transports, requirements: named }) =>
      role === 'server' &&
      at[revision] !== undefined &&
      transports.includes(transport) &&
      named.some((id) => requirements.includes(id)),
  );
  return new Set(bound.map(({ id }) => id));
}

/**
 * How many of a sample fall to a setting: as many as its share of all faults, and a third as many variants beside them.
 *
 * @param among the settings that the sample is drawn from
 */
export async function shareOf(
  { transport, revision }: Setting,
  sample: number,
  among: readonly Setting[] = settings,
): Promise<{ faults: number; variants: number }> {
  const all = await generatedFaults();
  const countIn = (setting: Setting): number =>
    all.filter(({ at, transports }) => at[setting.revision] !== undefined && transports.includes(setting.transport))
      .length;
  const total = among.reduce((sum, setting) => sum + countIn(setting), 0);
  const faults = Math.max(1, Math.round((sample * countIn({ transport, revision })) / total));
  return { faults, variants: Math.ceil(faults / 3) };
}

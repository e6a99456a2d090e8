/**
 * True if a page of the specification requires the member, whatever the schema says. And the legal variants beside
 * them: members that no schema knows, and values as unusual as the schemas allow.
 */
import type { Fault, FaultPlace } from '../../core/model/rules/mutation.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { MessageLayout } from '../../core/spec/messages/message-layout.ts';
import type { Catalogue } from '../../core/spec/requirements/catalogue.ts';
import { carriersOf, type Carrier } from './carriers.ts';
import { allTransports, type GeneratedFault } from './generated-fault.ts';
import { legalValuesAt } from './legal-values.ts';
import { areaOf, isDemanded, requirementsAt } from './requirements-of.ts';
import { changedAt, spotsOf, type Spot } from './walk.ts';
import { wrongValues } from './wrong-values.ts';

/** Whose messages are meant, and which requirements their places stand for. */
export interface Party {
  sender: 'server' | 'client';
  requirementsAt: typeof requirementsAt;
}

const server: Party = { sender: 'server', requirementsAt };

/**
 * @param faultId of a fault: only those of the messages that can be meant by it
 * @returns the faults and variants of one revision
 */
export function schemaFaults(
  layout: MessageLayout,
  catalogue: Catalogue,
  party: Party = server,
  faultId?: string,
): GeneratedFault[] {
  const revision = layout.revision as Revision;
  return carriersOf(layout, faultId, party.sender).flatMap((carrier) =>
    carrier.payloads.flatMap(({ shape, word }) => {
      const path = carrier.kind === 'result' ? '$.result' : '$.params';
      const spots = spotsOf(layout, shape, { path, name: word });
      return spots.flatMap((spot) => [
        ...faultsAt(layout, catalogue, party, carrier, spot),
        ...variantsAt(layout, carrier, spot, revision),
      ]);
    }),
  );
}

function faultsAt(
  layout: MessageLayout,
  catalogue: Catalogue,
  party: Party,
  carrier: Carrier,
  spot: Spot,
): GeneratedFault[] {
  const revision = layout.revision as Revision;
  const requirements = party.requirementsAt(catalogue, spot, carrier.method, revision);
  const isOwed = !spot.isItem && (!spot.optional || isDemanded(spot, carrier.method));
  const changes = [...(isOwed ? [{ word: 'absent', value: undefined }] : []), ...wrongValues(layout, spot.shape)];
  return changes.map(({ word, value }) => ({
    ...named(carrier, spot, word),
    fault: changeOf(carrier.on, spot, value),
    at: { [revision]: requirements },
    // A member that only a page requires may be absent according to the schema.
    ...(value === undefined && spot.optional ? {} : { bySchema: true as const }),
  }));
}

function variantsAt(layout: MessageLayout, carrier: Carrier, spot: Spot, revision: Revision): GeneratedFault[] {
  return legalValuesAt(layout, carrier, spot).map(({ word, value, member }) => ({
    ...named(carrier, spot, word),
    fault: member === undefined ? changeOf(carrier.on, spot, value) : addition(carrier.on, spot, member, value),
    at: { [revision]: 'legal' as const },
  }));
}

function named({ method }: Carrier, { name }: Spot, word: string): Pick<GeneratedFault, 'id' | 'area' | 'transports'> {
  return { id: `${method}.${name}:${word}`, area: areaOf(method), transports: allTransports };
}

/** @param value undefined leaves it out */
function changeOf(on: FaultPlace, { path, holder, where }: Spot, value: unknown): Fault {
  const place = withWhere(on, where);
  if (holder)
    return {
      on: place,
      set: holder.path,
      to: holder.at.length === 0 ? value : changedAt(holder.value, holder.at, () => value),
    };
  return value === undefined ? { on: place, remove: path } : { on: place, set: path, to: value };
}

/** An additional member in the object. */
function addition(on: FaultPlace, { path, holder, where }: Spot, member: string, value: unknown): Fault {
  const place = withWhere(on, where);
  const added = (old: unknown): unknown => ({ ...(old as object), [member]: value });
  return holder && holder.at.length > 0
    ? { on: place, set: holder.path, to: changedAt(holder.value, holder.at, added) }
    : { on: place, set: `${path}['${member}']`, to: value };
}

function withWhere(on: FaultPlace, where: Spot['where']): FaultPlace {
  return Object.keys(where).length === 0 ? on : { ...on, where };
}

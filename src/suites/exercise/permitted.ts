/** Which of the listed tools are called, and with which valid arguments; one answer for an audit and a fuzz run. */
import { decideTool } from '../../core/permission/decide.ts';
import { unlistedTool } from '../../core/permission/unlisted.ts';
import { argumentsFor, type Consent } from '../../client/offers/choose-tools.ts';
import { toolHint } from '../../client/offers/hinted.ts';
import type { Listing } from '../../client/offers/survey.ts';

type Json = Record<string, unknown>;

export interface ListedTool {
  tool: Json;
  name: string;
  /** Arguments that fit, of the hints or made from the schema. */
  valid: Json;
  /** Why it is not called. */
  skip?: string;
}

/** In the order of the list; entries without a name are left out. */
export function listedTools({ tools, hints }: Listing, { permission, places }: Consent): ListedTool[] {
  return tools.flatMap((tool): ListedTool[] => {
    const { name } = tool;
    if (typeof name !== 'string' || name === '') return [];
    const valid = toolHint(hints, name)?.arguments ?? argumentsFor(tool, places);
    const { call, why } = decideTool(tool, permission);
    if (!call) return [{ tool, name, valid, skip: why }];
    const asTask = (tool['execution'] as Json | null | undefined)?.['taskSupport'] === 'required';
    return [{ tool, name, valid, ...(asTask ? { skip: 'it can only be called as a task' } : {}) }];
  });
}

/** Why the list of tools is not known, or not as a whole; other lists are no matter here. */
export function toolListMissing({ missing = [] }: Listing): string[] {
  return missing.filter((one) => one.startsWith('tools/list '));
}

/** @throws McpcError usage for the name of a tool in a flag that the target does not list */
export function refuseUnlisted(listing: Listing, permission: Consent['permission']): void {
  const mistaken = toolListMissing(listing).length > 0 ? undefined : unlistedTool(listing.tools, permission);
  if (mistaken !== undefined) throw mistaken;
}

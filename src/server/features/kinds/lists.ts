/** One page of a list: page sizes small enough that every list needs at least two, and all fixtures stand on the first. */
import type { JsonObject } from '../../protocol/json-rpc.ts';
import type { RequestContext } from '../../session/request-context.ts';

const pageSizes = { tools: 6, resources: 3, resourceTemplates: 2, prompts: 2 } as const;
const fixturePageSizes = { tools: 40, resources: 4, resourceTemplates: 2, prompts: 5 } as const;

/** @throws RpcError -32602 for a cursor that is none of this list's */
export function listPage(
  list: keyof typeof pageSizes,
  items: JsonObject[],
  params: JsonObject,
  context: RequestContext,
): JsonObject {
  const { behaviour } = context.host;
  if (!context.host.keeps('paginate')) return { [list]: items };
  const page = behaviour.paginate(
    items,
    params.cursor,
    (context.host.fixtures ? fixturePageSizes : pageSizes)[list],
    list,
    context.session,
  );
  return { [list]: page.items, ...('nextCursor' in page ? { nextCursor: page.nextCursor } : {}) };
}

/** Lists whose results come in pages, by their methods. */
export interface ListShape {
  /** Property of the result that holds the entries. */
  member: string;
  /** Property that names an entry. */
  key: string;
}

export const lists = {
  'tools/list': { member: 'tools', key: 'name' },
  'prompts/list': { member: 'prompts', key: 'name' },
  'resources/list': { member: 'resources', key: 'uri' },
  'resources/templates/list': { member: 'resourceTemplates', key: 'uriTemplate' },
} as const satisfies Readonly<Record<string, ListShape>>;

const byMethod: ReadonlyMap<unknown, ListShape> = new Map(Object.entries(lists));

export const listMethods: ReadonlySet<unknown> = new Set(byMethod.keys());

/** The list that a method gives; undefined for other methods. */
export function listOf(method: unknown): ListShape | undefined {
  return byMethod.get(method);
}

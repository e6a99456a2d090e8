/** Which member of params the header Mcp-Name repeats, by method: revision 2026-07-28, and its tasks extension. */
export const nameMembers: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Sentences that tell a person how to make an application do an act. */
import type { ClientAct } from '../../core/model/rules/situation.ts';

export function sentenceOf({ act, of = 'tools', tool, arguments: given, name, uri, level }: ClientAct): string {
  const values = Object.entries(given ?? {}).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const call = `the tool ${tool ?? 'of your choice'}${values.length === 0 ? '' : ` with ${values.join(' and ')}`}`;
  const resource = uri ?? 'of your choice';
  switch (act) {
    case 'connect':
      return 'Connect the application to this server.';
    case 'list':
      return `Open the list of ${of === 'templates' ? 'resource templates' : of} of this server, or ask: "Which ${of === 'templates' ? 'resource templates' : of} do you have?"`;
    case 'call':
      if (tool === undefined) return 'Ask for each tool that the application shows of this server to be called.';
      return `Ask: "Call ${call}."`;
    case 'cancel':
      return `Ask: "Call ${call}." Stop it before it ends.`;
    case 'read':
      return `Ask: "Read the resource ${resource}."`;
    case 'subscribe':
      return `Have the application follow the resource ${resource}.`;
    case 'get':
      return `Use the prompt ${name ?? 'of your choice'}.`;
    case 'complete':
      return `Begin to type an argument of ${name === undefined ? (uri ?? 'a prompt') : `the prompt ${name}`}, and let the application complete it.`;
    case 'set-level':
      return `Set the log level of this server to ${level ?? 'debug'}.`;
    case 'end':
      return 'Disconnect the application from this server.';
  }
}

/** Tools that make the server act: log, change its lists, touch a resource, ping, drop the connection. */
import { isLevel } from '../../protocol/log-levels.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

export const serverTools: readonly Tool[] = [
  {
    name: 'log',
    title: 'Log',
    description: 'Sends a log message of the given level.',
    properties: { level: { type: 'string', description: 'A syslog level, info by default.' } },
    readOnly: true,
    run(given, context) {
      const level = given.level ?? 'info';
      if (!isLevel(level)) return { ...text('This is not a log level.'), isError: true };
      context.log(level, { message: 'a log message on demand' }, 'log-tool');
      return text(`logged at ${level}`);
    },
  },
  {
    name: 'change-lists',
    title: 'Change the lists',
    description: 'Adds an entry to the lists of tools, resources and prompts, or removes it again, and announces that.',
    readOnly: false,
    run(_given, context) {
      context.world.bonus = !context.world.bonus;
      for (const list of ['tools', 'resources', 'prompts'] as const) context.listChanged(list);
      return text(context.world.bonus ? 'added the bonus entries' : 'removed the bonus entries');
    },
  },
  {
    name: 'touch-counter',
    title: 'Touch the counter',
    description: 'Changes the resource demo://counter and tells its subscribers.',
    readOnly: false,
    run(_given, context) {
      context.world.counter += 1;
      context.resourceUpdated('demo://counter');
      return text(`the counter is at ${context.world.counter}`);
    },
  },
  {
    name: 'ping-client',
    title: 'Ping the client',
    description: 'Sends the client a ping of its own, without waiting for the answer.',
    readOnly: true,
    run: (_given, context) => text(context.pingClient() ? 'sent a ping' : 'this revision has no ping'),
  },
  {
    name: 'reconnect',
    title: 'Reconnect',
    description:
      'Drops the connection of its own reply where the revision permits it; the answer is there on resumption.',
    readOnly: true,
    run: (_given, context) =>
      text(context.dropConnection() ? 'answered after dropping the connection' : 'nothing had to be dropped'),
  },
];

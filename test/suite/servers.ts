/** Real servers as suites name them, and small planted ones. */
import { join } from 'node:path';
import { root } from '../cli/harness.ts';

const modules = join(root, 'node_modules/@modelcontextprotocol');

export const everything = `command: node\n  args: [${JSON.stringify(join(modules, 'server-everything/dist/index.js'))}, stdio]`;
export const filesystem = `command: node\n  args: [${JSON.stringify(join(modules, 'server-filesystem/dist/index.js'))}, "{{fixture}}"]`;

import type { ServerObject } from '../../../src/api/client.ts';

export function createServer(major: 1 | 2, broken?: boolean): ServerObject;

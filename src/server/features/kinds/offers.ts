/** The shapes of what a server offers besides tools. */
import type { JsonObject } from '../../protocol/json-rpc.ts';
import type { Revision } from '../../protocol/revisions.ts';
import type { RequestContext } from '../../session/request-context.ts';
import type { World } from '../../session/world.ts';

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments?: readonly { name: string; description: string; required: boolean }[];
  /** The revision that has what the prompt needs; absent: all. */
  since?: Revision;
  render(given: JsonObject, context: RequestContext): JsonObject[] | Promise<JsonObject[]>;
}

export interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Absent: in every revision. */
  since?: Revision;
  read(world: World): { text: string } | { blob: string };
}

export interface Template {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  /** text/plain unless it says otherwise. */
  mimeType?: string;
  pattern: RegExp;
  render(value: string): string;
}

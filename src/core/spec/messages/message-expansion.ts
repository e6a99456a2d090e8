/** Context of the expansion of a layout to JSON Schema. Types only. */
import type { MessageLayout } from './message-layout.ts';
import type { Member, Shape } from './message-shape.ts';

export type JsonSchema = Record<string, unknown>;

/** Members of an object type with all that it inherits; a later base and the type itself override earlier ones. */
export type MemberTable = Map<string, Member>;

export interface ExpandContext {
  layout: MessageLayout;
  /** Follows references to a shape that is not a reference. */
  resolve(shape: Shape): Shape;
  /** Members of an object shape, inherited ones included; undefined for any other shape. */
  membersOf(shape: Shape): MemberTable | undefined;
  expand(shape: Shape): JsonSchema;
}

/** The shapes that a message layout is made of. Types only. */
export type ScalarType = 'string' | 'number' | 'integer' | 'boolean' | 'null';

export type FormatName = 'uri' | 'uri-template' | 'base64';

export interface Member {
  shape: Shape;
  optional: boolean;
}

/** One node of the layout. Objects are always open: members that are not named may be present. */
export type Shape =
  | { kind: 'any' }
  | { kind: 'absent' }
  | { kind: 'literal'; value: string | number }
  | { kind: 'scalar'; type: ScalarType; format?: FormatName; minimum?: number; maximum?: number }
  | { kind: 'array'; items: Shape; minItems?: number; maxItems?: number }
  | { kind: 'map'; values: Shape }
  | { kind: 'object'; bases: string[]; members: Map<string, Member> }
  | { kind: 'union'; branches: Shape[] }
  | { kind: 'choice'; member: string; cases: Map<string, Shape>; otherwise?: Shape }
  | { kind: 'reference'; name: string };

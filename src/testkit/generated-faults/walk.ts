/**
 * Every place of a message that its shape knows, at every depth, with the JSONPath that leads there. Of a list the last
 * item represents all; a branch of a union is found by its distinguishing member.
 */
import type { MessageLayout } from '../../core/spec/messages/message-layout.ts';
import type { Shape } from '../../core/spec/messages/message-shape.ts';
import { branchesOf, exampleOf, membersOf, resolved } from './shapes.ts';

/** A value in a message. */
export interface Spot {
  /** For ids: `result.tools[].inputSchema`. */
  name: string;
  path: string;
  shape: Shape;
  /** It may be left out. */
  optional: boolean;
  /** An item of a list or a value of a map, not a member of an object. */
  isItem: boolean;
  /** Its owners, the nearest first. */
  owners: readonly Owner[];
  /** Values that the message must have for the path to mean this. */
  where: Readonly<Record<string, unknown>>;
  /**
   * It is in an optional value that a server may not send: the outermost such value is set as a whole, to `value` with
   * a change at `at`.
   */
  holder?: Holder;
}

/** A member of an object, or an item of a list that is one, with the types that say so. */
export interface Owner {
  /** `Type.member`, with [] behind it for an item; undefined where the object has no name. */
  member?: string;
  /** The base that declares the member, in the same way. */
  inherited?: string;
  /** Names of the object. */
  types: readonly string[];
}

export interface Holder {
  path: string;
  value: unknown;
  at: readonly (string | number)[];
}

/** Deeper than any message of the layouts goes. */
const deepest = 16;

interface Segment {
  text: string;
  /** A place in a list or map: what has to hold for the item. */
  filters?: string[];
}

interface State {
  name: string;
  segments: readonly Segment[];
  owners: readonly Owner[];
  where: Readonly<Record<string, unknown>>;
  holder?: Holder;
}

/**
 * @param at path and name of the root, such as `$.result` and `result`
 * @returns the spots below the root, and not the root itself
 */
export function spotsOf(
  layout: MessageLayout,
  shape: Shape,
  at: { path: string; name: string; where?: Record<string, unknown> },
): Spot[] {
  const spots: Spot[] = [];
  const seen = new Set<string>();

  function take(given: Shape, optional: boolean, isItem: boolean, state: State): void {
    const path = pathOf(state.segments);
    const spot: Spot = {
      name: state.name,
      path,
      shape: given,
      optional,
      isItem,
      owners: state.owners,
      where: state.where,
      ...(state.holder ? { holder: state.holder } : {}),
    };
    const key = JSON.stringify([spot.path, spot.where, spot.name]);
    if (seen.has(key)) return;
    seen.add(key);
    spots.push(spot);
    const holder = state.holder ?? (optional ? { path, value: exampleOf(layout, given), at: [] } : undefined);
    descend(given, holder ? { ...state, holder } : state);
  }

  function descend(given: Shape, state: State): void {
    if (state.segments.length > deepest) return;
    const branches = branchesOf(layout, given);
    if (branches.length > 1) return branches.forEach((branch) => intoBranch(branch, branches, state));
    intoOne(given, state);
  }

  function intoOne(given: Shape, outer: State): void {
    const { shape, names } = resolved(layout, given);
    const state =
      names.length === 0 || shape.kind === 'object' ? outer : { ...outer, owners: [{ types: names }, ...outer.owners] };
    if (shape.kind === 'array') return take(shape.items, false, true, item(state, '[-1]', '[]', 0));
    if (shape.kind === 'map') return take(shape.values, false, true, item(state, '[*]', '.*', 'example'));
    if (shape.kind === 'choice') {
      for (const [value, branch] of shape.cases)
        intoOne(branch, {
          ...state,
          name: value === 'complete' ? state.name : `${state.name}(${value})`,
          where: { ...state.where, [`${pathOf(state.segments)}.${shape.member}`]: value },
        });
      return;
    }
    if (shape.kind !== 'object') return;
    const type = names[0];
    for (const [name, member] of membersOf(layout, shape, type)) {
      if (member.shape.kind === 'absent') continue;
      const { declaredBy } = member;
      const owner: Owner = {
        ...(type === undefined ? {} : { member: `${type}.${name}` }),
        ...(declaredBy === undefined || declaredBy === type ? {} : { inherited: `${declaredBy}.${name}` }),
        types: names,
      };
      take(member.shape, member.optional, false, {
        ...state,
        owners: [owner, ...state.owners],
        name: `${state.name}.${name}`,
        segments: [...state.segments, { text: memberText(name) }],
        ...(state.holder ? { holder: within(layout, state.holder, name, member.shape) } : {}),
      });
    }
  }

  /** A branch applies if its distinguishing member has its value. */
  function intoBranch(branch: Shape, branches: readonly Shape[], state: State): void {
    const { shape, names } = resolved(layout, branch);
    if (shape.kind === 'array') return intoOne(branch, state);
    if (shape.kind !== 'object') return;
    const name = `${state.name}(${names[0] ?? 'object'})`;
    const named = { ...state, name };
    const tag = tagOf(layout, branch, branches);
    if (state.holder) return intoOne(branch, { ...named, holder: replaced(state.holder, exampleOf(layout, branch)) });
    if (tag === undefined) return intoOne(branch, named);
    intoOne(branch, { ...named, ...reported(state, tag) });
  }

  descend(shape, { name: at.name, segments: [{ text: at.path }], owners: [], where: at.where ?? {} });
  return spots;
}

function item(state: State, text: string, word: string, key: string | number): State {
  const segments = [...state.segments, { text, filters: [] }];
  const [nearest, ...others] = state.owners;
  const owners =
    nearest === undefined
      ? []
      : [{ ...nearest, ...(nearest.member === undefined ? {} : { member: `${nearest.member}[]` }) }, ...others];
  return {
    ...state,
    owners,
    name: state.name + word,
    segments,
    ...(state.holder ? { holder: { ...state.holder, at: [...state.holder.at, key] } } : {}),
  };
}

/** The example of what is left out as a whole, with this member in it. */
function within(layout: MessageLayout, holder: Holder, name: string, shape: Shape): Holder {
  const inner = { ...holder, at: [...holder.at, name] };
  return replaced(inner, exampleOf(layout, shape));
}

function replaced(holder: Holder, value: unknown): Holder {
  return { ...holder, value: changedAt(holder.value, holder.at, () => value) };
}

/** A copy with another value at a place; `undefined` takes a member away. */
export function changedAt(
  value: unknown,
  at: readonly (string | number)[],
  change: (old: unknown) => unknown,
): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (index === key ? changedAt(one, rest, change) : one));
  const made = changedAt((value as Record<string, unknown>)[key], rest, change);
  const { [key]: _old, ...others } = value as Record<string, unknown>;
  return made === undefined ? others : { ...others, [key]: made };
}

interface Tag {
  name: string;
  /** Absent where the member is only there in this branch. */
  value?: string | number;
  optional: boolean;
}

/** The member that identifies a branch: one with another literal in each, or one that only this branch requires. */
function tagOf(layout: MessageLayout, branch: Shape, branches: readonly Shape[]): Tag | undefined {
  const members = requiredIn(layout, branch);
  for (const [name, member] of members) {
    const { shape } = resolved(layout, member.shape);
    if (shape.kind === 'literal') return { name, value: shape.value, optional: member.optional };
  }
  const others = branches.filter((one) => one !== branch).map((one) => requiredIn(layout, one));
  const own = [...members].find(([name, { optional }]) => !optional && others.every((other) => !other.has(name)));
  return own && { name: own[0], optional: false };
}

function requiredIn(layout: MessageLayout, branch: Shape): ReturnType<typeof membersOf> {
  const { shape, names } = resolved(layout, branch);
  return shape.kind === 'object' ? membersOf(layout, shape, names[0]) : new Map();
}

/** The state with the branch identified: by a filter of the nearest list, or by a value of the message. */
function reported(state: State, { name, value, optional }: Tag): Partial<State> {
  const index = state.segments.findLastIndex(({ filters }) => filters !== undefined);
  if (index < 0)
    return value === undefined || optional
      ? {}
      : { where: { ...state.where, [`${pathOf(state.segments)}${memberText(name)}`]: value } };
  const inner = `@${state.segments
    .slice(index + 1)
    .map(({ text }) => text)
    .join('')}${memberText(name)}`;
  const filter = value === undefined ? inner : `${inner}==${typeof value === 'number' ? value : `'${value}'`}`;
  return {
    segments: state.segments.map((segment, position) =>
      position === index ? { ...segment, filters: [...segment.filters!, filter] } : segment,
    ),
  };
}

function pathOf(segments: readonly Segment[]): string {
  return segments
    .map(({ text, filters = [] }) => (filters.length === 0 ? text : `[?${filters.join(' && ')}]`))
    .join('');
}

/** A name as a part of a JSONPath. */
export function memberText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`;
}

/** The profile of a client: what it declared, and what it was seen to do. No verdict or score rests on it. Shapes only. */

export interface ClientProfile {
  clientInfo?: { name?: string; version?: string; title?: string };
  /** Revisions that it asked for, in the order in which they came. */
  requested: string[];
  /** Capabilities that it declared, with dots for what lies within: `elicitation.url`. */
  declared: string[];
  /** Everything that a profile looks for, seen or not. */
  abilities: ClientAbility[];
}

export interface ClientAbility {
  /** A short name, for example `resumption`. */
  ability: string;
  title: string;
  /** How often it was seen. */
  times: number;
  /** Sequence numbers of the first events that show it. */
  events: number[];
}

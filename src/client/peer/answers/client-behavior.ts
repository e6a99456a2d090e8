/** The ways in which the checker, as a client, can treat requests of the server. */
/**
 * Client behavior for requests of the server.
 *
 * - `usual`: forms are filled in, addresses declined, a tool is used once in each conversation
 * - `accept`: forms are filled in, addresses accepted (and never opened)
 * - `decline`, `cancel`: so are elicitations
 * - `unfit`: forms have values of wrong types, sampled content is of an unknown type
 * - `loop`: the model never stops using tools
 * - `no-roots`: roots/list gives an error
 */
export const clientBehaviors = ['usual', 'accept', 'decline', 'cancel', 'unfit', 'loop', 'no-roots'] as const;
export type ClientBehavior = (typeof clientBehaviors)[number];

/** Additions of the client to a repeated request, after a result asked for input. */
export interface Inputs {
  members: { inputResponses?: Record<string, unknown>; requestState?: string };
  deviation?: string;
}

/** Answers that a user has written; each holds for every question of its kind. */
export interface CannedAnswers {
  roots?: { uri: string; name: string }[];
  /** `tools`: the uses of tools that come first where the server offers tools. */
  sampling?: {
    text: string;
    model: string;
    stopReason: string;
    tools?: { name: string; input: Record<string, unknown> }[];
  };
  /** `url`: the answer to addresses; that of forms when absent. */
  elicitation?: {
    action: 'accept' | 'decline' | 'cancel';
    content?: Record<string, unknown>;
    url?: 'accept' | 'decline' | 'cancel';
  };
}

/** The facts of `group` and `pair` subjects, for fact-table.ts. */

export const groupDescription =
  'All subjects of one sort that share a key, as the rule selects them. Complete at the end of the connection (or of the trace). At most 10,000 groups a connection and 1,000 values a group are kept; what is beyond that is left undecided.';

export const groupFactTable: Record<string, string> = {
  key: 'The value that the members share; a list where the rule names several.',
  count: 'How many members there are.',
  first: 'The message of the first member.',
  last: 'The message of the last one.',
  times: 'When each member was complete, in milliseconds since the trace began.',
  values: 'With a name behind it (values.progress): the values that the rule collects under this name, in order; members without one are left out.',
};

export const pairDescription =
  'A subject and the one that follows it, as the rule selects them. Complete when the second one comes, when nothing is waited for any more, or at the end of the connection (or of the trace). At most 10,000 open pairs a connection are kept.';

export const pairFactTable: Record<string, string> = {
  first: 'The message of the first subject.',
  then: 'The message of the second one; absent when none came.',
  elapsedMs: 'Milliseconds between the two; absent when no second one came.',
  between: 'How many messages came between the two, on the same connection.',
  ended: 'What completed it: then, until or end (of the connection or the trace).',
};

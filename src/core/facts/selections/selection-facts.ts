/** The facts of `group` and `pair` subjects, which the judge makes of the subjects of the fold (selections.ts). */
import type { Definitions, Facts, Feature, Gaps } from '../core/plugin.ts';

const groupFacts: Definitions = {
  key: { says: 'The value that the members share; a list where the rule names several.', rests: ['order'] },
  count: { number: true, says: 'How many members there are.', rests: ['order'] },
  first: { says: 'The message of the first member.', rests: ['order'] },
  last: { says: 'The message of the last one.', rests: ['order'] },
  times: { says: 'When each member was complete, in milliseconds since the trace began.', rests: ['order', 'timing'] },
  values: {
    says: 'With a name behind it (values.progress): the values that the rule collects under this name, in order; members without one are left out.',
    rests: ['order'],
  },
};

const pairFacts: Definitions = {
  first: { says: 'The message of the first subject.', rests: [] },
  then: { says: 'The message of the second one; absent when none came.', rests: ['order'], doubtful: mayBeMissed },
  elapsedMs: {
    number: true,
    says: 'Milliseconds between the two; absent when no second one came.',
    rests: ['order', 'timing'],
    doubtful: mayBeMissed,
  },
  between: {
    number: true,
    says: 'How many messages came between the two, on the same connection.',
    rests: ['order'],
    doubtful: mayBeMissed,
  },
  ended: {
    says: 'What completed it: then, until or end (of the connection or the trace).',
    rests: ['order'],
    doubtful: mayBeMissed,
  },
};

export const selections: Feature = {
  name: 'selections',
  kinds: {
    group:
      'All subjects of one sort that share a key, as the rule selects them. Complete at the end of the connection (or of the trace). At most 10,000 groups a connection and 1,000 values a group are kept; what is beyond that is left undecided, unless the beginning of its lists breaks a rule already.',
    pair: 'A subject and the one that follows it, as the rule selects them. Complete when the second one comes, when nothing is waited for any more, or at the end of the connection (or of the trace). At most 10,000 open pairs a connection are kept.',
  },
  facts: { group: groupFacts, pair: pairFacts },
};

/** That nothing followed may be a gap of the capture. */
function mayBeMissed({ then }: Readonly<Facts>, { wholeOrder }: Gaps): boolean {
  return then === undefined && !wholeOrder;
}

/** The kinds of subjects that rules can be about, and the filter that selects among those of a kind. */
export const subjectKinds = ['message', 'exchange', 'followUp', 'stdoutLine', 'http', 'stream', 'pagination', 'serverRequest', 'task', 'session', 'metadata', 'authorization', 'trace', 'group', 'pair'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** Scalar facts of a subject that must have the value, or one of the values. */
export type Filter = Record<string, unknown>;

/**
 * Features (rules of level MAY) that the compliant reference server does not use, with the reason, and where. Everything
 * else is used in each check of it; what is used at a place that the list names has to leave the list. Most of these are
 * used by a legal variant, which names them (`uses`).
 */
import type { Undecided } from './undecided-on-reference.ts';

export const unusedHere: readonly Undecided[] = [
  {
    why: 'the reference server lets everybody in; guarded ones are variants',
    rules: ['authorization/scope-voluntariness'],
  },
  { why: 'tasks of the extension are kept for longer than a check takes', rules: ['ext-tasks/get-expiry'] },
  { why: 'tasks of the extension may be asked about at any pace', rules: ['ext-tasks/get-rate-limit'] },
  {
    why: 'what a request changes of a task of the extension shows at once; a variant is slower',
    rules: ['ext-tasks/cancel-late-effect', 'ext-tasks/update-late-effect'],
  },
  {
    why: 'how a task of the extension is kept stays as it is; a variant changes that',
    rules: ['ext-tasks/task-interval-change', 'ext-tasks/task-ttl-change'],
  },
  {
    why: 'events of a stream carry one message each',
    rules: ['http/get-batched-messages', 'http/sse-batched-interim', 'http/sse-batched-responses'],
  },
  { why: 'GET opens a listening stream', rules: ['http/get-refusal-405'] },
  {
    why: 'listening streams are kept open; a variant closes them after each message',
    rules: ['http/get-server-close'],
  },
  {
    why: 'the only key of _meta with a hyphen is that of tasks',
    at: '2025-06-18',
    rules: ['meta/key-name-inner-characters'],
  },
  {
    why: 'the only key of _meta with a hyphen is that of tasks',
    at: '2026-07-28',
    rules: ['meta/key-name-inner-characters'],
  },
  { why: 'progress is counted in steps', rules: ['progress/value-fraction'] },
  { why: 'prompts embed their resources', rules: ['prompts/content-resource-link'] },
  { why: 'each resource has one content', rules: ['resources/read-multiple-contents'] },
  { why: 'there are no directories among the resources', rules: ['resources/uri-file-xdg-types'] },
  { why: 'schemas are of the default dialect', rules: ['schema/dialect-declaration'] },
  { why: 'clients may end their sessions', rules: ['session/end-delete-405'] },
  { why: 'the server ends no session', rules: ['session/end-server-termination'] },
  { why: 'the server ends when its stdin does', rules: ['stdio/shutdown-server-initiation'] },
  { why: 'cancelled tasks are kept for their ttl; a variant drops them', rules: ['tasks/cancel-deletion'] },
  { why: 'nothing is told to the model while a task runs', rules: ['tasks/create-immediate-response'] },
  {
    why: 'what takes no plain call is a tool, which is refused with -32601',
    rules: ['tasks/errors-missing-augmentation'],
  },
  { why: 'structured content is an object', rules: ['tools/result-structured-any-json'] },
  { why: 'a server of the stateless revision alone', oneEra: true, rules: ['versioning/era-dual-server'] },
];

/** Used or not as it happens. */
export const usedAtTimes: readonly Undecided[] = [
  {
    why: 'probes over HTTP run beside one another, and a list of this revision changes between two looks when one of them has a tool change it',
    at: '2026-07-28',
    on: ['http'],
    rules: ['tools/list-variability'],
  },
];

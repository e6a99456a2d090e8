/** All features, in the order of FACTS.md. A new one is a folder, and a line here. */
import { authorization } from './authorization/authorization-tracker.ts';
import { questions } from './client-requests/question-tracker.ts';
import type { Feature } from './core/plugin.ts';
import { listing } from './features/listing.ts';
import { logging } from './features/log-facts.ts';
import { paging } from './features/paging.ts';
import { resources } from './features/resource-watch.ts';
import { toolCalls } from './features/tool-call.ts';
import { aftermath } from './jsonrpc/aftermath-feature.ts';
import { exchanges } from './jsonrpc/exchange-feature.ts';
import { messages } from './jsonrpc/message-feature.ts';
import { selections } from './selections/selection-facts.ts';
import { eventIds } from './session/connection-notes.ts';
import { session } from './session/session-feature.ts';
import { target } from './session/target-feature.ts';
import { tasks } from './tasks/task-tracker.ts';
import { http } from './transports/http-feature.ts';
import { lines } from './transports/line-tracker.ts';
import { listening } from './transports/listening.ts';

export const features: readonly Feature[] = [
  session,
  messages,
  exchanges,
  listing,
  paging,
  toolCalls,
  resources,
  target,
  tasks,
  aftermath,
  questions,
  logging,
  lines,
  listening,
  http,
  eventIds,
  authorization,
  selections,
];

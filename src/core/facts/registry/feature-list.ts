/**
 * The features that several rules read. A new one is a folder, and a line here; in which order hooks come is said by the
 * features themselves (`after`). Facts that one rule alone reads are next to it (rule-features.ts).
 */
export { addresses } from '../addresses/address-tracker.ts';
export { authorization } from '../authorization/authorization-tracker.ts';
export { grants } from '../authorization/grants/grant-tracker.ts';
export { issuances } from '../authorization/issuance/issuance-tracker.ts';
export { questions } from '../client-requests/question-tracker.ts';
export { inputRounds } from '../client-requests/round-tracker.ts';
export { headerAnnotations } from '../features/header-annotations.ts';
export { listing } from '../features/listing.ts';
export { logging } from '../features/log-facts.ts';
export { paramHeaderFacts } from '../features/param-header-facts.ts';
export { pageTurns } from '../lists/page-turns.ts';
export { paging } from '../lists/paging.ts';
export { resources } from '../features/resource-watch.ts';
export { standardHeaders } from '../features/standard-headers.ts';
export { surfaceTexts } from '../tool-surface/surface-texts.ts';
export { subscriptions } from '../features/subscription-facts.ts';
export { toolCalls } from '../features/tool-call.ts';
export { aftermath } from '../jsonrpc/aftermath/aftermath-feature.ts';
export { exchanges } from '../jsonrpc/exchange-feature.ts';
export { messages } from '../jsonrpc/message-feature.ts';
export { selections } from '../selections/selection-facts.ts';
export { eras } from '../session/era-feature.ts';
export { session } from '../session/session-feature.ts';
export { target } from '../session/target-feature.ts';
export { openings } from '../stateless/openings.ts';
export { tasks } from '../tasks/task-tracker.ts';
export { http } from '../transports/http-feature.ts';
export { lines } from '../transports/line-tracker.ts';
export { resumptions } from '../transports/resumptions.ts';
export { listening } from '../transports/listening/listening.ts';

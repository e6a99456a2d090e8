/** Conversations in the notation of examples (docs/rules.md), each with the rules that fail in it: none where it is legal. */
import type { Revision } from '../../src/model/rules/requirement.ts';
import type { RuleExample } from '../../src/model/rules/rule.ts';
import type { TransportKind } from '../../src/model/trace.ts';

export interface Conversation extends Omit<RuleExample, 'verdict' | 'revision' | 'transport'> {
  name: string;
  revision: Revision;
  on: TransportKind | readonly TransportKind[];
  /** Rules of MUST requirements that fail; none when absent. */
  fails?: readonly string[];
  /** Verdicts of rules that matter here; a rule that does not hold in the revision has none. */
  decides?: Readonly<Record<string, string>>;
}

const acknowledged = '{"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}';
const listen = '> {"id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}';
const ended = '{"id":7,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":7}}}';
const tornDown = '{"method":"notifications/cancelled","params":{"requestId":7,"reason":"shutting down"}}';

const subscriptions: readonly Conversation[] = [
  {
    name: 'a server ends a subscription by notifications/cancelled',
    revision: '2026-07-28',
    on: ['stdio', 'http'],
    serverCapabilities: { tools: { listChanged: true } },
    trace: [listen, '< stream', `< ${acknowledged}`, `< ${tornDown}`, '< end'],
    decides: { 'cancellation/server-other-purposes': 'pass' },
  },
  {
    name: 'a server ends a subscription by notifications/cancelled and a result',
    revision: '2026-07-28',
    on: ['stdio', 'http'],
    serverCapabilities: { tools: { listChanged: true } },
    trace: [listen, '< stream', `< ${acknowledged}`, `< ${tornDown}`, `< ${ended}`, '< end'],
    decides: { 'cancellation/server-other-purposes': 'pass' },
  },
  {
    name: 'a server ends a subscription by a result, then says that it is cancelled',
    revision: '2026-07-28',
    on: 'stdio',
    serverCapabilities: { tools: { listChanged: true } },
    trace: [listen, `< ${acknowledged}`, `< ${ended}`, `< ${tornDown}`],
    decides: { 'cancellation/server-other-purposes': 'pass' },
  },
  {
    name: 'a server cancels a call of the client',
    revision: '2026-07-28',
    on: ['stdio', 'http'],
    trace: ['> {"id":1,"method":"tools/call","params":{"name":"work","arguments":{}}}', '< {"method":"notifications/cancelled","params":{"requestId":1}}', '< {"id":1,"result":{"resultType":"complete","content":[]}}'],
    fails: ['cancellation/server-other-purposes'],
  },
];

export const conversations: readonly Conversation[] = [...subscriptions];

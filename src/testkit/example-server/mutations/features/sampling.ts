/** Mutations of what the server asks of the client's model. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import { allRevisions } from '../../../../server/protocol/revisions.ts';
import { editing, requestNamed, withParams, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';

const sampling = requestNamed('sampling/createMessage');
const toolsKnown = ['2025-11-25'] as const;

/** Edits the messages of the conversation. */
const withMessages = (change: (message: JsonObject) => JsonObject | JsonObject[]) =>
  editing(
    sampling,
    withParams(({ messages }) => ({ messages: (messages as JsonObject[]).flatMap(change) })),
  );

const blocksOf = (message: JsonObject): JsonObject[] => [message.content].flat().filter(isObject);
const holds = (message: JsonObject, type: string): boolean => blocksOf(message).some((block) => block.type === type);

/** Edits the blocks of one type, each message that has some as a whole. */
const withBlocks = (type: string, change: (blocks: JsonObject[]) => JsonObject[]) =>
  withMessages((message) => (holds(message, type) ? { ...message, content: change(blocksOf(message)) } : message));

export const samplingMutations: readonly Mutation[] = [
  mutation({
    rule: 'sampling/capability-server-use',
    description: 'The model is asked whether the client offers it or not.',
    alsoBreaks: [
      'capabilities/negotiation-negotiated-use',
      'sampling/capability-tools-server-use',
      'elicitation/capability-server-use',
      'roots/capability-server-check',
      'versioning/negotiated-adherence',
    ],
    change: { neglects: ['ask-only-declared-capabilities'] },
  }),
  mutation({
    rule: 'sampling/capability-tools-server-use',
    revisions: toolsKnown,
    description: 'Clients without tools in sampling are asked to choose some.',
    change: {
      outgoing: editing(
        (about, message) =>
          sampling(about, message) &&
          isObject(about.session.clientCapabilities.sampling) &&
          !('tools' in about.session.clientCapabilities.sampling),
        withParams(() => ({
          tools: [{ name: 'count-letters', inputSchema: { type: 'object' } }],
          toolChoice: { mode: 'auto' },
        })),
      ),
    },
  }),
  mutation({
    rule: 'sampling/context-avoidance',
    revisions: toolsKnown,
    description: 'The context of this server is asked for.',
    alsoBreaks: ['sampling/context-capability'],
    change: {
      outgoing: editing(
        sampling,
        withParams(() => ({ includeContext: 'thisServer' })),
      ),
    },
  }),
  mutation({
    rule: 'sampling/context-capability',
    revisions: toolsKnown,
    description: 'The context of all servers is asked for, though the client does not offer it.',
    alsoBreaks: ['sampling/context-avoidance'],
    change: {
      outgoing: editing(
        sampling,
        withParams(() => ({ includeContext: 'allServers' })),
      ),
    },
  }),
  mutation({
    rule: 'sampling/messages-tool-result-purity',
    revisions: toolsKnown,
    description: 'A text follows the tool results in their message.',
    alsoBreaks: ['sampling/security-tool-loop-reply'],
    change: { outgoing: withBlocks('tool_result', (blocks) => [...blocks, { type: 'text', text: 'Go on.' }]) },
  }),
  mutation({
    rule: 'sampling/messages-tool-balance',
    revisions: toolsKnown,
    description: 'A message separates tool uses and their results.',
    alsoBreaks: ['sampling/security-tool-loop-reply'],
    change: {
      outgoing: withMessages((message) =>
        holds(message, 'tool_result')
          ? [{ role: 'user', content: { type: 'text', text: 'One moment.' } }, message]
          : message,
      ),
    },
  }),
  mutation({
    rule: 'sampling/messages-schema',
    description: 'The first message has the role system.',
    change: {
      outgoing: withMessages((message) => (holds(message, 'text') ? { ...message, role: 'system' } : message)),
    },
  }),
  mutation({
    rule: 'sampling/messages-schema',
    id: 'sampling/messages-schema@list',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18'],
    description: 'The content of a message is a list, before there were any.',
    change: { outgoing: withMessages((message) => ({ ...message, content: blocksOf(message) })) },
  }),
  mutation({
    rule: 'sampling/tool-choice-schema',
    revisions: toolsKnown,
    description: 'toolChoice has a mode of another protocol.',
    change: {
      outgoing: editing(
        sampling,
        withParams(({ toolChoice }) => (toolChoice === undefined ? {} : { toolChoice: { mode: 'any' } })),
      ),
    },
  }),
  mutation({
    rule: 'sampling/request-schema',
    description: 'The number of tokens is left out.',
    change: {
      outgoing: editing(sampling, (message) => ({
        ...message,
        params: without(message.params as JsonObject, 'maxTokens'),
      })),
    },
  }),
  mutation({
    rule: 'sampling/request-schema',
    id: 'sampling/request-schema@optional',
    description: 'The stop sequences are one text.',
    change: {
      outgoing: editing(
        sampling,
        withParams(() => ({ stopSequences: '.' })),
      ),
    },
  }),
  mutation({
    rule: 'sampling/request-preference-range',
    description: 'Priorities are given in percent.',
    change: {
      outgoing: editing(
        sampling,
        withParams(({ modelPreferences }) =>
          isObject(modelPreferences) ? { modelPreferences: { ...modelPreferences, speedPriority: 80 } } : {},
        ),
      ),
    },
  }),
  mutation({
    rule: 'sampling/tool-use-schema',
    revisions: toolsKnown,
    description: 'Tool uses are passed on with their input as text.',
    alsoBreaks: ['sampling/messages-schema'],
    change: {
      outgoing: withBlocks('tool_use', (blocks) =>
        blocks.map((block) => ({ ...block, input: JSON.stringify(block.input) })),
      ),
    },
  }),
  mutation({
    rule: 'sampling/tool-result-schema',
    revisions: toolsKnown,
    description: 'The content of tool results is a text.',
    alsoBreaks: ['sampling/messages-schema'],
    change: { outgoing: withBlocks('tool_result', (blocks) => blocks.map((block) => ({ ...block, content: 'done' }))) },
  }),
  mutation({
    rule: 'sampling/tool-result-id-match',
    revisions: toolsKnown,
    description: 'There is a result of a tool that was never used.',
    change: {
      outgoing: withBlocks('tool_result', (blocks) => [
        ...blocks,
        { type: 'tool_result', toolUseId: 'never-used', content: [] },
      ]),
    },
  }),
  mutation({
    rule: 'sampling/tool-result-structured-conformance',
    revisions: toolsKnown,
    description: 'A structured result lacks what its schema demands.',
    change: {
      outgoing: withBlocks('tool_result', (blocks) =>
        blocks.map((block) =>
          isObject(block.structuredContent)
            ? { ...block, structuredContent: without(block.structuredContent, 'meanings') }
            : block,
        ),
      ),
    },
  }),
  mutation({
    rule: 'sampling/security-tool-loop-reply',
    revisions: toolsKnown,
    description: 'Of several tool uses only the first is answered.',
    alsoBreaks: ['sampling/messages-tool-balance'],
    change: { outgoing: withBlocks('tool_result', (blocks) => blocks.slice(0, 1)) },
  }),
  mutation({
    rule: 'sampling/security-iteration-limit',
    revisions: toolsKnown,
    description: 'The model may use tools forever.',
    change: { neglects: ['limit-tool-loops'] },
  }),
  mutation({
    rule: 'sampling/security-content-validation',
    revisions: allRevisions,
    description: 'Whatever the model is said to have answered is passed on.',
    change: { neglects: ['validate-sampled-content'] },
  }),
];

/**
 * Makes a normalised episode of tool calls (Assay trace V2) from captured messages: one `episode_start`, a `step` for
 * each listing and call, a `tool_call` for each call with its answer, one `episode_end`. Everything comes from the
 * events and the options; nothing is read or written here.
 */
import type { Challenge } from '../captured.ts';
import { typedId } from '../correlation.ts';
import { stringifyExact } from '../exact-json.ts';
import { scopedKey, type ListedTool, type McpEvent } from '../semantics.ts';

export interface EpisodeOptions {
  episodeId: string;
  testId?: string;
  /** Stands for the prompt; by default a fixed sign that there was none. */
  prompt?: string;
  /** Milliseconds: the earliest time of an event, or the present. */
  start: number;
  /** Ids are paired with their JSON type. */
  strict: boolean;
  challenges: readonly Challenge[];
  /** Called for unsolicited answers. */
  warn: (text: string) => void;
}

/** A line of the episode; numbers may be LosslessNumber, so print it with stringifyExact. */
export type EpisodeLine = Record<string, unknown>;

interface OpenCall {
  stepId: string;
  name: string;
  args: unknown;
  time: number;
  /** The capture lacks a message that may have answered it. */
  perhapsAnswered?: true;
}

/** The error of a call whose answer the capture lacks. */
const notRecorded = 'capture/not_recorded';

/** @param events in the order of `byTimeAndPlace` */
export async function* episodeOf(
  events: AsyncIterable<McpEvent> | Iterable<McpEvent>,
  options: EpisodeOptions,
): AsyncGenerator<EpisodeLine> {
  const { episodeId, start, strict } = options;
  yield startLine(options, start);
  /** Lines of the event at hand. */
  const lines: EpisodeLine[] = [];
  const open = new Map<string, OpenCall>();
  /** Requests other than calls: their answers are not orphans. */
  const others = new Set<string>();
  let steps = 0;
  let last = start;
  let final: { payload: unknown } | undefined;

  const step = (name: string, content: string | null, meta: Record<string, unknown>): string => {
    const stepId = `step_${String(steps).padStart(3, '0')}`;
    lines.push({
      type: 'step',
      episode_id: episodeId,
      step_id: stepId,
      idx: steps,
      timestamp: last,
      kind: 'tool',
      name,
      content,
      content_sha256: null,
      truncations: [],
      meta,
    });
    steps += 1;
    return stepId;
  };
  const toolCall = (call: OpenCall, time: number, result: unknown, error: string | null): void => {
    lines.push({
      type: 'tool_call',
      episode_id: episodeId,
      step_id: call.stepId,
      timestamp: time,
      tool_name: call.name,
      call_index: 0,
      args: call.args,
      args_sha256: null,
      result,
      result_sha256: null,
      error,
      truncations: [],
    });
  };

  for await (const event of events) {
    last = Math.max(last, event.time ?? last);
    const { meaning } = event;
    // Of a message that is lost nothing but its id may be known; the same then holds for what it answers.
    if (meaning.kind === 'lost' && event.id === null) for (const call of open.values()) call.perhapsAnswered = true;
    const key = scopedKey(event, strict ? typedId(event) : (event.id ?? undefined));
    if (key !== undefined && (meaning.kind === 'list' || (meaning.kind === 'other' && meaning.asks))) others.add(key);
    if (meaning.kind === 'lost') {
      const call = key === undefined ? undefined : open.get(key);
      if (call && key !== undefined && open.delete(key)) toolCall(call, last, null, notRecorded);
    } else if (meaning.kind === 'list') step('tools/list', '{}', {});
    else if (meaning.kind === 'listed')
      step('tools/list.result', stringifyExact({ tools: meaning.tools.map(toolLine) }), {});
    else if (meaning.kind === 'call') {
      const stepId = step(meaning.name, null, { jsonrpc_id: event.id });
      const call: OpenCall = { stepId, name: meaning.name, args: meaning.args, time: last };
      if (key === undefined) toolCall(call, last, null, null);
      else open.set(key, call);
    } else if (meaning.kind === 'answer') {
      const call = key === undefined ? undefined : open.get(key);
      if (call && key !== undefined) {
        open.delete(key);
        toolCall(
          call,
          last,
          meaning.isError ? { error: meaning.payload } : meaning.payload,
          meaning.isError ? 'mcp_error' : null,
        );
      } else if (event.id !== null && !(key !== undefined && others.delete(key)))
        options.warn(`${event.place}: a response with the id ${JSON.stringify(event.id)} answers no open tool call`);
      final = { payload: meaning.payload };
    }
    yield* lines.splice(0);
  }
  for (const call of open.values())
    toolCall(call, call.time, null, call.perhapsAnswered === true ? notRecorded : 'timeout/no_response');
  yield* lines;
  yield {
    type: 'episode_end',
    episode_id: episodeId,
    timestamp: last,
    outcome: null,
    final_output: final === undefined ? null : stringifyExact(final.payload),
  };
}

/** The order of an episode: events without a time come first. */
export function byTimeAndPlace(a: McpEvent, b: McpEvent): number {
  return (a.time ?? 0) - (b.time ?? 0) || a.order - b.order || compare(a.id ?? '', b.id ?? '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function startLine({ episodeId, testId, prompt, challenges }: EpisodeOptions, start: number): EpisodeLine {
  const discovery = {
    visible: challenges.length > 0,
    source_kind: challenges.length > 0 ? 'www_authenticate' : 'unknown',
    resource_metadata_visible: challenges.some((one) => one.resourceMetadata),
    authorization_servers_visible: false,
    scope_challenge_visible: challenges.some((one) => one.scope),
  };
  return {
    type: 'episode_start',
    episode_id: episodeId,
    timestamp: start,
    input: { prompt: prompt ?? '<mcp:session>' },
    meta: {
      source: 'mcp_import',
      episode_id: episodeId,
      mcp: { authorization_discovery: discovery },
      ...(testId === undefined ? {} : { test_id: testId }),
    },
  };
}

function toolLine({ name, description, inputSchema }: ListedTool): Record<string, unknown> {
  return { name, description, input_schema: inputSchema, tool_identity: null };
}

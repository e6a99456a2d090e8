/**
 * Answers the requests of one coprocess, one after another. It keeps no promise but the protocol's: what a request asks
 * of the server goes there unchanged, and what comes back is handed through. It reads and writes no stream.
 */
import { askList } from '../live/lists.ts';
import type { Outcome } from '../live/outcome.ts';
import type { SuiteReport } from '../core/model/reports/suite-report.ts';
import type { CallLog } from './call-log.ts';
import type { Cache, CacheMode } from './cache.ts';
import type { Cassette, CassetteMode } from './cassette.ts';
import type { Frame } from './frames/frame.ts';
import type { LiveSource } from './sources/live-source.ts';
import { codes, FrameError } from './protocol.ts';
import { upstreamOf, type Asked } from './requests.ts';
import { resultText, type Source } from './sources/source.ts';

export interface SessionParts {
  live: LiveSource;
  cache: Cache;
  cassette: Cassette;
  log: CallLog;
  /** Ends the server, and writes what is still to be written. */
  end(): Promise<void>;
  /** Writes the reports that were asked for when the coprocess was started. */
  writeReports(report: SuiteReport): Promise<void>;
}

/** @returns answers a request with the JSON text of its result; rejects with a FrameError, or with what is our own fault */
export function createSession(parts: SessionParts): (frame: Frame) => Promise<string> {
  const { live, cache, cassette, log } = parts;
  /** Kept and never acted upon: nothing is uploaded. */
  let upload: { enabled: boolean; url?: string } = { enabled: false };

  const current = (): Source => cassette.replayed ?? live;

  async function askUpstream(asked: Asked): Promise<string> {
    const source = current();
    const about = asked.kind === 'request' ? asked.about : {};
    const [title, name] = titleOf(asked);
    const ended = log.begin(title, name);
    let outcome: Outcome;
    try {
      outcome = await outcomeOf(asked, source);
    } catch (error) {
      ended({ kind: 'gone', words: (error as Error).message });
      throw error;
    }
    ended(outcome);
    return resultText(outcome, about);
  }

  function outcomeOf(asked: Asked, source: Source): Promise<Outcome> {
    if (asked.kind === 'handshake') return source.handshake();
    if (asked.kind === 'list') return askList(asked.list, (method, params) => source.ask(method, params));
    return asked.method === 'tools/call' ? cache.call(source, asked.params) : source.ask(asked.method, asked.params);
  }

  return async (frame) => {
    const { method, params } = frame;
    const asked = upstreamOf(frame);
    if (asked !== undefined) return askUpstream(asked);
    switch (method) {
      case 'mcp.reporter.setUpload':
        upload = params as typeof upload;
        return '{}';
      case 'mcp.reporter.flush':
        await parts.writeReports(
          await log.report(
            upload.enabled ? ['Nothing is uploaded: mcpc has no service for reports. This report is a file only.'] : [],
          ),
        );
        return '{}';
      case 'mcp.cache.set_mode': {
        const mode = params['mode'] as CacheMode;
        cache.setMode(mode);
        return JSON.stringify({ mode });
      }
      case 'mcp.cassette.set_mode': {
        const mode = params['mode'] as CassetteMode;
        await cassette.setMode(mode, params['path'] as string | undefined);
        cache.clear();
        return JSON.stringify({ mode });
      }
      case 'mcp.shutdown':
        await parts.end();
        return '{}';
      default:
        throw new FrameError(codes.methodNotFound, `method not found: ${method}`);
    }
  };
}

function titleOf(asked: Asked): [title: string, about: string] {
  if (asked.kind === 'handshake') return ['initialize', ''];
  if (asked.kind === 'list') return [`${asked.list}/list`, ''];
  return [asked.method, Object.values(asked.about as Record<string, string>)[0] ?? ''];
}

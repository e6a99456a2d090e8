/**
 * Reasons why a conversation with a target fails. It answers wrongly, so that its messages are judged; it does not
 * speak the requested revision; or it is not an MCP server.
 */
import { McpcError } from '../../core/model/errors.ts';
import type { WireEntry } from '../../core/model/reports/run-report.ts';
import type { Era, Revision } from '../../core/model/rules/requirement.ts';
import type { Target } from './target.ts';

/** Form of the first contact with the target. */
export interface Spoken {
  target: Target;
  era: Era;
  revision: Revision;
  /** HTTP+SSE: its `endpoint` event came, so that the target is a server of that transport whatever else is wrong with it. */
  hasEndpoint?: boolean;
}

/** A target that was asked whether it speaks a revision, and showed that it does not. */
export class NotSpoken extends McpcError {
  readonly revision: Revision;
  /** The observation instead: a sentence without its full stop. */
  readonly why: string;
  /** The messages that show it, numbered from 1, once they are recorded. */
  readonly wire: readonly WireEntry[];

  constructor(revision: Revision, why: string, wire: readonly WireEntry[] = []) {
    super('target', `The server does not speak revision ${revision}: ${why}.`, {
      remedy: 'Use --spec each for those that it speaks.',
    });
    this.revision = revision;
    this.why = why;
    this.wire = wire;
  }
}

export class AnsweredOtherwise extends McpcError {
  readonly spoken: Spoken;

  /** @param reported text for the reader if nothing can be judged */
  constructor(reported: McpcError, spoken: Spoken) {
    super('target', reported.message, { remedy: reported.remedy, cause: reported.cause });
    this.spoken = spoken;
  }
}

/** Something answers at an address over HTTP, but nothing that speaks MCP: there is no server to judge. */
export class NoEndpoint extends McpcError {
  /** @param remedy one sentence or more */
  constructor(message: string, remedy: string) {
    super('target', message, { remedy });
  }
}

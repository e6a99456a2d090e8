/** Drivers bring a client to do something: by one command, by a command for each act, by functions, by a person. */
import type { EventInput } from '../../core/model/trace.ts';
import type { ClientAct } from '../../core/model/rules/situation.ts';
import type { ClientTask, OfficialTask, Places } from './task.ts';

/** One start of the client, as a driver gets it. */
export interface Start {
  task: ClientTask;
  official: OfficialTask;
  /** The values of the placeholders, and the words that come last where a command line has none. */
  places: Places;
  last: readonly string[];
  /** The environment that processes of the client get, the task included. */
  env: NodeJS.ProcessEnv;
  /** The cursor in the newest list that the server sent; undefined where that was the last page, or the cursor belongs to a session. */
  nextCursor(): string | undefined;
  /** Records what the harness has to say of the client. */
  record(event: Omit<EventInput, 'session'>): void;
  /** Takes each line that the client prints. */
  print(line: string, stream?: 'stdout' | 'stderr'): void;
  /** The client itself is gone; what it started may still be there. @param lives its process goes on */
  gone(lives?: boolean): void;
  /** Longest time that it has to close, milliseconds; that of the driver when absent. */
  closeMs?: number | undefined;
}

export interface ClientEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it was ended; absent where it ended by itself. */
  ended?: string;
  /** Manner of its end where it may still use its sessions, since no call asked it to end them. */
  left?: string;
}

/** A client at work. */
export interface RunningClient {
  /** Resolves once the client is gone, and whatever it started. Never rejects. */
  readonly exited: Promise<ClientEnd>;
  /** Ends it, whatever it does. */
  end(why: string): void;
  /** The last of what it printed. */
  tail(): string[];
}

export interface ClientDriver {
  /** Begins a start. @throws McpcError target when the client cannot be started */
  begin(start: Start): Promise<RunningClient>;
  /** Why an act cannot be done, where that is known before. */
  lacks(act: ClientAct): string | undefined;
  /** Starts at the same time do not disturb each other: each has a process of its own. */
  readonly parallel: boolean;
  /** Next pages are asked for by commands of the user, for which an empty cursor is none. */
  readonly cursorsByCommand?: true;
}

/** Asks a server which of its tools only read, on a connection of its own. */
import { asText, isObject } from '../../../core/model/json.ts';
import type { Hints, ToolHint } from '../../../core/model/rules/hints.ts';
import { surveyTarget } from '../../../client/offers/survey.ts';
import type { Redactor } from '../../../core/trace/redaction/redact.ts';
import { createConnection } from './connection.ts';
import type { OpenOptions } from './connection.ts';
import { copyFixture } from './fixture.ts';

/**
 * Names of tools with `readOnlyHint: true` and without a hint about changes; none when the server cannot be reached,
 * which its cases will report.
 * @param fixture folder that the server gets as a copy
 */
export async function readOnlyTools(
  options: Omit<OpenOptions, 'fixture'>,
  {
    redactor,
    fixture,
    signal,
    hints,
  }: { redactor: Redactor; fixture: string | undefined; signal: AbortSignal; hints?: Hints },
): Promise<ReadonlySet<string>> {
  const copy = fixture === undefined ? undefined : await copyFixture(fixture);
  const connection = createConnection({ redactor, name: 'tools' });
  const onAbort = (): void => connection.abandon();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const failed = await connection.open({ ...options, fixture: copy?.path });
    if (failed !== undefined) return new Set();
    const { tools } = await surveyTarget(connection.opened!.peer);
    return new Set(
      tools
        .filter(({ annotations }) => isObject(annotations) && annotations['readOnlyHint'] === true)
        .filter(({ name }) => !changes(hints?.tools, asText(name)))
        .map(({ name }) => asText(name)),
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
    await connection.close();
    await copy?.remove();
  }
}

/** True if the user says that a tool has visible effects. */
function changes(hints: Readonly<Record<string, ToolHint>> | undefined, name: string): boolean {
  const hint = hints !== undefined && Object.hasOwn(hints, name) ? hints[name] : undefined;
  return hint?.changesLists !== undefined || hint?.changesResource !== undefined;
}

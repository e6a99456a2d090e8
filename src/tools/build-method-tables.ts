/** Writes `generated/methods.json` from the message layouts. Part of the generate step; the file is committed. */
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { methodTableFile } from '../spec/message-files.ts';
import { renderMethodTables } from '../spec/method-tables.ts';

/** @returns the path written */
export async function buildMethodTables(file = methodTableFile()): Promise<string> {
  await writeFile(file, await renderMethodTables());
  return file;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.error(`wrote ${await buildMethodTables()}`);
}

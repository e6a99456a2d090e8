/** Tools for tasks: a task-only one, and one that breaks off. */
import { RpcError } from '../../protocol/json-rpc.ts';
import { pause } from '../../session/request-context.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

/** A code of this server alone: what JSON-RPC and the protocol reserve lies below. */
const brokeOff = 1001;
const chapters = ['summary', 'figures', 'outlook'];

export const taskTools: readonly Tool[] = [
  {
    name: 'write-report',
    title: 'Write a report',
    description: 'Puts a report together, chapter by chapter. Where there are tasks, it has to be called as one.',
    readOnly: true,
    taskSupport: 'required',
    longRunning: 'where-declared',
    async run(_given, context) {
      for (const [index, chapter] of chapters.entries()) {
        context.progress(index + 1, chapters.length, chapter);
        await pause(40, context.signal);
      }
      return text(`The report has these chapters: ${chapters.join(', ')}.`);
    },
  },
  {
    name: 'throw-error',
    title: 'Throw an error',
    description: 'Fails with an error of the protocol in the midst of its work.',
    readOnly: true,
    taskSupport: 'optional',
    longRunning: 'where-declared',
    async run(_given, context) {
      await pause(20, context.signal);
      throw new RpcError(brokeOff, 'The work broke off', {
        data: { after: 'the first step' },
        reason: 'tool-broke-off',
      });
    },
  },
];

/** The tasks that the checker runs as a client: a request becomes one only where that was declared, and its answer comes when it is over. */
import { describe, expect, test } from 'vitest';
import { createAnswerer } from '../../src/client/peer/answers/client-answers.ts';
import { loadValidators } from '../../src/files/package/load-validators.ts';

type Json = Record<string, unknown>;

const declared = {
  elicitation: { form: {} },
  sampling: {},
  tasks: { cancel: {}, requests: { elicitation: { create: {} } } },
};
const form = {
  message: 'Go on?',
  requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
};
const relatedKey = 'io.modelcontextprotocol/related-task';

function client() {
  const answerer = createAnswerer();
  const ask = async (method: string, params: Json): Promise<Json> =>
    (await answerer.respond(method, params, declared)).reply;
  const begin = async (): Promise<Json> =>
    ((await ask('elicitation/create', { ...form, task: { ttl: 5000 } })).result as Json).task as Json;
  return { ask, begin };
}

describe('a task of the checker', () => {
  test('is working at first, and has the shape of one', async () => {
    const { ask } = client();
    const { result } = await ask('elicitation/create', { ...form, task: { ttl: 5000 } });
    const shapes = await loadValidators('2025-11-25');
    expect(shapes.validate('CreateTaskResult', result)).toEqual([]);
    expect((result as Json).task).toMatchObject({ status: 'working', ttl: 5000 });
  });

  test('gives the answer of the plain request when it is over', async () => {
    const { ask, begin } = client();
    const { taskId } = await begin();
    const plain = await ask('elicitation/create', form);
    const { result } = await ask('tasks/result', { taskId });
    expect(result).toEqual({ ...(plain.result as Json), _meta: { [relatedKey]: { taskId } } });
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'completed' });
    expect((await ask('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
  });

  test('has no result when it was cancelled', async () => {
    const { ask, begin } = client();
    const { taskId } = await begin();
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
    expect((await ask('tasks/result', { taskId })).error).toMatchObject({ code: -32602 });
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
  });

  test.each(['tasks/get', 'tasks/result', 'tasks/cancel'])('is not found by %s under another id', async (method) => {
    expect((await client().ask(method, { taskId: 'never' })).error).toMatchObject({ code: -32602 });
  });

  test('is not made where it was not declared', async () => {
    const { ask } = client();
    const { result } = await ask('sampling/createMessage', {
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
      maxTokens: 10,
      task: {},
    });
    expect(result).not.toHaveProperty('task');
    expect((await ask('tasks/list', {})).error).toMatchObject({ code: -32601 });
  });
});

import { describe, expect, it } from 'vitest';
import {
  ask,
  call,
  get,
  graphId,
  otherProcess,
  owner,
  reach,
  tasks,
  tasksAndForms,
  useTasks,
  waited,
} from './task-fixture.ts';
import { closedGate } from './task-plugin.ts';

/** Goal: an operation is a task of its caller (ai-surface M-20e). Method: HTTP, as clients do, with real runs. */
useTasks();

const dayMs = 86_400_000;

/** The result without what names the run and the server. */
const plain = (result: Record<string, unknown>) => ({ ...result, resultType: undefined, _meta: undefined });

describe('the tasks extension', () => {
  it('is advertised in the stateless revision only (ai-surface M-20e)', async () => {
    const { capabilities } = (await ask('server/discover', {}, { capabilities: {} })).body.result;
    expect(capabilities.extensions).toEqual(tasks.extensions);
    expect(capabilities).not.toHaveProperty('tasks');
    const path = `/v1/graphs/${graphId}/mcp`;
    const older = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { body } = await owner.post(path, { jsonrpc: '2.0', id: 1, method: 'initialize', params: older });
    expect(body.result.capabilities).not.toHaveProperty('extensions');
    const get = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 'x' } };
    expect((await owner.post(path, get)).body.error.code).toBe(-32601);
  });

  it('is required by its methods in each request: 400 with -32021 (ai-surface M-20e)', async () => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await ask(method, { taskId: 'x', inputResponses: {} }, { capabilities: {} })).toMatchObject({
        status: 400,
        body: { error: { code: -32021, data: { requiredCapabilities: tasks } } },
      });
  });

  it('has no tasks/list and no tasks/result: 404 with -32601 (ai-surface M-20e)', async () => {
    for (const method of ['tasks/list', 'tasks/result'])
      expect(await ask(method, { taskId: 'x' })).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  });

  it('says which parameter is missing or of another type (ai-surface M-7)', async () => {
    const faults: readonly (readonly [string, object, string])[] = [
      ['tasks/get', {}, 'taskId must be a string'],
      ['tasks/cancel', { taskId: 7 }, 'taskId must be a string'],
      ['tasks/update', { taskId: 'x' }, 'inputResponses must be an object'],
    ];
    for (const [method, params, text] of faults)
      expect((await ask(method, { ...params })).body.error).toEqual({
        code: -32602,
        message: `Invalid params: ${text}`,
      });
  });

  it('refuses a header that names another task (ai-surface M-20a)', async () => {
    const refused = await ask('tasks/get', { taskId: 'op_1' }, { headers: { 'Mcp-Name': 'op_2' } });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
  });
});

describe('a call that starts a run', () => {
  it('returns a task at once, which is the operation (ai-surface M-20e, platform L-17)', async () => {
    const open = closedGate('progress');
    const task = await call('import-lines', { lines: 7, gate: 'progress' });
    expect(task).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 5_000 });
    for (const absent of ['content', 'result', 'error', 'inputRequests']) expect(task).not.toHaveProperty(absent);
    const { taskId } = task;
    await expect.poll(async () => (await get(taskId)).statusMessage, { timeout: 60_000 }).toBe('Importing 7 lines');
    const { body } = await owner.get(`/v1/operations/${taskId}/status`);
    expect(await get(taskId)).toEqual({
      resultType: 'complete',
      taskId,
      status: 'working',
      statusMessage: body.message,
      createdAt: body.created_at,
      lastUpdatedAt: body.updated_at,
      ttlMs: Date.parse(body.updated_at) - Date.parse(body.created_at) + 7 * dayMs,
      pollIntervalMs: 5_000,
      _meta: { progress: { progress: 40, total: 100 }, 'io.modelcontextprotocol/serverInfo': expect.anything() },
    });
    open();
    const ended = await reach(taskId, 'completed');
    expect(ended.result._meta).toEqual({ operationId: taskId });
    expect(plain(ended.result)).toEqual(plain(await waited('import-lines', { lines: 7 })));
    expect(ended.result.content[0].text).toContain('"tax_id": "…6789"');
  });

  it('ends in the same tool error as a call that waits (ai-surface M-20e, M-34)', async () => {
    const given = { lines: 3, end: 'refusal' };
    const ended = await reach((await call('import-lines', given)).taskId, 'completed');
    expect(ended.result.isError).toBe(true);
    expect(ended).not.toHaveProperty('error');
    expect(plain(ended.result)).toEqual(plain(await waited('import-lines', given)));
  });

  it('ends in an error of the protocol if the service fails (ai-surface M-20e, platform L-15)', async () => {
    const { taskId } = await call('import-lines', { lines: 3, end: 'fault' });
    const ended = await reach(taskId, 'failed');
    const message = `Operation failed — reference ${taskId}`;
    expect(ended.error).toEqual({ code: -32603, message, data: { operationId: taskId } });
    expect(ended).not.toHaveProperty('result');
  });

  it('waits for a client without the extension, and returns no task if the tool starts no run (ai-surface M-11)', async () => {
    expect(await waited('import-lines', { lines: 1 })).toMatchObject({ resultType: 'complete' });
    expect(await call('add-line', {})).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
  });

  // Starts as many runs as a user may have, and cancels them.
  it('returns the refusal as a result if no run is started (ai-surface M-9, platform L-22)', async () => {
    expect(await call('import-lines', { lines: 'many' })).toMatchObject({ resultType: 'complete', isError: true });
    const busy = await owner.createGraph('Busy', ['imports']);
    const open = closedGate('limit');
    const started: string[] = [];
    for (let count = 0; count < 20; count += 1)
      started.push((await call('import-lines', { lines: count, gate: 'limit' }, { graph: busy })).taskId);
    const refused = await call('import-lines', { lines: 20 }, { graph: busy });
    expect(refused).toMatchObject({ resultType: 'complete', isError: true });
    expect(refused.content[0].text).toContain('Too many operations are in progress (at most 20 for a user');
    for (const taskId of started) await ask('tasks/cancel', { taskId }, { graph: busy });
    open();
  });

  it('returns the same task for the same idempotency key, also after its end (ai-surface M-36)', async () => {
    const sent = { key: 'import-1' };
    const first = await call('import-lines', { lines: 5 }, sent);
    const second = await call('import-lines', { lines: 5 }, sent);
    await reach(first.taskId, 'completed');
    const third = await call('import-lines', { lines: 5 }, sent);
    expect([second.taskId, third.taskId]).toEqual([first.taskId, first.taskId]);
    expect(third).toMatchObject({ resultType: 'task', status: 'completed' });
    const other = await call('import-lines', { lines: 6 }, sent);
    expect(other).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('idempotency_key_reused') }],
    });
  });

  it('costs as many credits as a call that waits (ai-surface M-20e, platform C-9)', async () => {
    const graph = await owner.createGraph('Priced', ['imports']);
    const balance = async () => (await owner.get(`/v1/graphs/${graph}/credits`)).body.current_balance;
    const before = await balance();
    await call('import-lines', { lines: 1 }, { graph, capabilities: {}, headers: { Accept: 'application/json' } });
    const between = await balance();
    expect(between).toBeLessThan(before);
    const sent = { graph, key: 'import-2' };
    const { taskId } = await call('import-lines', { lines: 1 }, sent);
    await reach(taskId, 'completed', { graph });
    await call('import-lines', { lines: 1 }, sent);
    expect(between - (await balance())).toBe(before - between);
  });

  it('asks for the confirmation first, and then returns a task (ai-surface M-20d)', async () => {
    const sent = { capabilities: tasksAndForms };
    const { requestState, resultType } = await call('delete-lines', {}, sent);
    expect(resultType).toBe('input_required');
    const inputResponses = { confirmation: { action: 'accept', content: { confirm: true } } };
    const params = { name: 'delete-lines', arguments: {}, requestState, inputResponses };
    const task = (await ask('tools/call', params, sent)).body.result;
    expect(task.resultType).toBe('task');
    expect(task).not.toHaveProperty('requestState');
    expect((await reach(task.taskId, 'completed')).result.content[0].text).toContain('"deleted": true');
  });
});

describe('a task', () => {
  it('can be canceled while it runs, and does not change after its end (ai-surface M-20e, platform L-7, L-10)', async () => {
    const open = closedGate('cancel');
    const { taskId } = await call('import-lines', { lines: 1, gate: 'cancel' });
    const acknowledged = await ask('tasks/cancel', { taskId });
    expect(Object.keys(acknowledged.body.result).sort()).toEqual(['_meta', 'resultType']);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    open();
    const before = await get(taskId);
    expect((await ask('tasks/cancel', { taskId })).body.result.resultType).toBe('complete');
    expect(await get(taskId)).toEqual(before);
    const done = await reach((await call('import-lines', { lines: 2 })).taskId, 'completed');
    expect((await ask('tasks/cancel', { taskId: done.taskId })).body.result.resultType).toBe('complete');
    expect(await get(done.taskId)).toEqual(done);
  });

  it('can be read from every process, and outlives the one that accepted it (ai-surface M-1, M-20e)', async () => {
    const { key } = (await owner.post('/v1/user/api-keys', { name: 'mcp' })).body;
    const open = closedGate('restart');
    const first = await otherProcess();
    const client = first.anonymous.withHeaders({ 'X-API-Key': key });
    const { taskId } = await call('import-lines', { lines: 4, gate: 'restart' }, { client });
    expect(await get(taskId, { client })).toMatchObject({ taskId, status: 'working' });
    await first.close();
    open();
    const ended = await reach(taskId, 'completed');
    const second = await otherProcess();
    expect(await get(taskId, { client: second.anonymous.withHeaders({ 'X-API-Key': key }) })).toEqual(ended);
    await second.close();
  });

  it('asks clients with forms, and accepts one answer to each question (ai-surface M-20e, platform L-19)', async () => {
    const sent = { capabilities: tasksAndForms };
    const update = (inputResponses: object) => ask('tasks/update', { taskId, inputResponses }, sent);
    const accept = (content: object) => ({ action: 'accept', content });
    const { taskId } = await call('map-account', {}, sent);
    const asking = await reach(taskId, 'input_required', sent);
    const [[first = '', request] = []] = Object.entries(asking.inputRequests);
    const requestedSchema = {
      type: 'object',
      required: ['account'],
      properties: { account: { type: 'string', maxLength: 5 } },
    };
    expect(request).toMatchObject({
      method: 'elicitation/create',
      params: { message: 'Which account?', requestedSchema },
    });
    expect(await get(taskId)).toMatchObject({ statusMessage: 'Which account?', inputRequests: {} });
    expect((await update({ [first]: accept({ account: '400000' }) })).body.error.code).toBe(-32602);
    expect((await update({ [first]: accept({ account: 'a\0' }) })).body.error.message).toContain('cannot be stored');
    expect((await update({ [first]: { action: 'perhaps' } })).body.error.code).toBe(-32602);
    for (const nothing of [{}, { other: accept({}) }, { [first]: { action: 'cancel' } }])
      expect((await update(nothing)).body.result.resultType).toBe('complete');
    expect(await get(taskId, sent)).toEqual(asking);
    expect((await update({ [first]: accept({ account: '4000' }) })).body.result).not.toHaveProperty('status');
    await expect.poll(async () => (await get(taskId, sent)).statusMessage, { timeout: 60_000 }).toBe('Which period?');
    const [second = ''] = Object.keys((await get(taskId, sent)).inputRequests);
    expect(second).not.toBe(first);
    await update({ [first]: accept({ account: '5000' }) });
    expect(await get(taskId, sent)).toMatchObject({ status: 'input_required', statusMessage: 'Which period?' });
    await update({ [second]: accept({ period: '2025-01' }) });
    const ended = await reach(taskId, 'completed', sent);
    expect(JSON.parse(ended.result.content[0].text)).toEqual({ answers: [{ account: '4000' }, { period: '2025-01' }] });
  });

  it('is canceled when a person declines to answer (ai-surface M-20e)', async () => {
    const sent = { capabilities: tasksAndForms };
    const { taskId } = await call('map-account', {}, sent);
    const { inputRequests } = await reach(taskId, 'input_required', sent);
    const [asked = ''] = Object.keys(inputRequests);
    await ask('tasks/update', { taskId, inputResponses: { [asked]: { action: 'decline' } } }, sent);
    expect(await get(taskId, sent)).toMatchObject({ status: 'cancelled' });
  });
});

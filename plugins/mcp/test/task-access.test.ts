import { joinTeam, type TestClient } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { OAuthClient } from './oauth-client.ts';
import { ask, call, get, graphId, owner, reach, type Sent, service, useTasks } from './task-fixture.ts';
import { closedGate } from './task-plugin.ts';

/** Goal: a task is visible where and to whom the rules say, and nowhere else (ai-surface M-20e, platform L-16, P-23). */
useTasks();

const unknown = { code: -32602, message: 'Unknown task. It may have expired.' };

/** Sends every method for a task, and returns the errors. */
async function refusals(taskId: string, sent?: Sent) {
  const errors: unknown[] = [];
  const inputResponses = { 'question-1': { action: 'accept', content: {} } };
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    errors.push(
      (await ask(method, { taskId, ...(method === 'tasks/update' ? { inputResponses } : {}) }, sent)).body.error,
    );
  return errors;
}

async function memberOf(
  graph: string,
  role: string,
): Promise<{ readonly client: TestClient; readonly userId: string }> {
  const member = await joinTeam(service, owner);
  await owner.post(`/v1/graphs/${graph}/members`, { user_id: member.userId, role });
  return member;
}

describe('a task', () => {
  // Registers three users, whose passwords are hashed.
  it('is unknown to other users of any role, and on other graphs (ai-surface M-20e)', async () => {
    const open = closedGate('access');
    const { taskId } = await call('import-lines', { lines: 1, gate: 'access' });
    const stranger = await service.newUser('Bob');
    const theirs = await stranger.createGraph('Books of Bob', ['imports']);
    const own = await owner.createGraph('Second', ['imports']);
    const elsewhere: readonly Sent[] = [
      { client: (await memberOf(graphId, 'viewer')).client },
      { client: (await memberOf(graphId, 'admin')).client },
      { client: stranger, graph: theirs },
      { graph: own },
    ];
    for (const sent of elsewhere) expect(await refusals(taskId, sent)).toEqual([unknown, unknown, unknown]);
    const { key } = (await stranger.post('/v1/user/api-keys', { name: 'mcp' })).body;
    const outside = await ask('tasks/get', { taskId }, { client: service.anonymous.withHeaders({ 'X-API-Key': key }) });
    expect(outside.status).toBe(403);
    expect(await get(taskId)).toMatchObject({ status: 'working' });
    open();
    await reach(taskId, 'completed');
  });

  it('is unknown under an id of any form and length that no operation has (ai-surface M-20e)', async () => {
    for (const id of ['', 'x', 'x'.repeat(3_000), 'op_01ARZ3NDEKTSV4RRFFQ69G5FAV'])
      expect(await refusals(id)).toEqual([unknown, unknown, unknown]);
  });

  it('is only a run that a tool can start, not another operation of the caller (ai-surface M-20e)', async () => {
    const operations = `/extensions/imports/${graphId}/operations`;
    const held = (await owner.post(`${operations}/file-lines`, {})).body.operationId;
    const inline = (await owner.post(`${operations}/add-line`, {})).body.operationId;
    for (const id of [held, inline]) {
      expect((await owner.get(`/v1/operations/${id}/status`)).status).toBe(200);
      expect(await refusals(id)).toEqual([unknown, unknown, unknown]);
    }
    const queued = (await owner.post(`${operations}/import-lines`, { lines: 2 })).body.operationId;
    expect(await reach(queued, 'completed')).toMatchObject({ taskId: queued });
  });

  it('stays visible to a caller who has become a viewer, and not to a removed one (platform L-16)', async () => {
    const open = closedGate('viewer');
    const { client, userId } = await memberOf(graphId, 'member');
    const { taskId } = await call('import-lines', { lines: 1, gate: 'viewer' }, { client });
    await owner.request('PUT', `/v1/graphs/${graphId}/members/${userId}`, { role: 'viewer' });
    expect((await client.get(`/v1/operations/${taskId}/status`)).status).toBe(200);
    expect(await get(taskId, { client })).toMatchObject({ taskId, status: 'working' });
    expect(await call('import-lines', { lines: 1 }, { client })).toMatchObject({ isError: true });
    await owner.request('DELETE', `/v1/graphs/${graphId}/members/${userId}`);
    expect((await client.get(`/v1/operations/${taskId}/status`)).status).toBe(403);
    expect((await ask('tasks/get', { taskId }, { client })).status).toBe(403);
    open();
  });

  it('can be read by a user who joined it, but not canceled (platform P-23)', async () => {
    const open = closedGate('totals');
    const { client } = await memberOf(graphId, 'member');
    const { taskId } = await call('refresh-totals', {});
    expect(await call('refresh-totals', {}, { client })).toMatchObject({ resultType: 'task', taskId });
    expect(await get(taskId, { client })).toMatchObject({ taskId, status: 'working' });
    expect((await ask('tasks/cancel', { taskId }, { client })).body.error).toEqual({
      code: -32602,
      message: 'This operation was started by another user.',
    });
    expect(await get(taskId)).toMatchObject({ status: 'working' });
    open();
    expect((await reach(taskId, 'completed', { client })).result.content[0].text).toContain('"refreshed": true');
  });

  // A person gives consent three times.
  it('is visible through access tokens of its graph, and of a profile that has its tool (ai-surface M-52, O-41)', async () => {
    const own = await owner.createGraph('Third', ['imports']);
    const app = await OAuthClient.register(service.anonymous);
    const tokenFor = async (graph: string, path: string): Promise<Sent> => {
      const { access_token } = await app.connect(owner, graph, { resource: `${service.url}${path}` });
      return { path, client: service.anonymous.withHeaders({ authorization: `Bearer ${access_token}` }) };
    };
    const whole = await tokenFor(graphId, '/v1/mcp');
    const { taskId } = await call('delete-lines', {}, whole);
    expect(await reach(taskId, 'completed', whole)).toMatchObject({ result: { _meta: { operationId: taskId } } });
    expect(await get(taskId)).toMatchObject({ taskId });
    expect(await refusals(taskId, await tokenFor(own, '/v1/mcp'))).toEqual([unknown, unknown, unknown]);
    const profile = await tokenFor(graphId, '/v1/mcp/imports');
    expect(await refusals(taskId, profile)).toEqual([unknown, unknown, unknown]);
    const imported = await call('import-lines', { lines: 1 }, profile);
    await reach(imported.taskId, 'completed', profile);
  });
});

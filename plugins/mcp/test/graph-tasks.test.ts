import { describe, expect, it } from 'vitest';
import { ann, client, graphId, service, useAuthorization } from './authorization-fixture.ts';
import { statelessRequest } from './stateless-request.ts';
import { tasks } from './task-fixture.ts';

/** Goal: an operation of a real graph is a task (ai-surface M-20e). Method: an access token, and the graph's engine. */
useAuthorization();

describe('a backup', () => {
  // The engine of the graph writes a backup.
  it('is a task, whose result is that of the operation (ai-surface M-20e, platform L-17)', async () => {
    const { access_token } = await client.connect(ann, graphId);
    const send = async (method: string, params: object) => {
      const { headers, body } = statelessRequest(method, { ...params }, { capabilities: tasks });
      const app = service.anonymous.withHeaders({ ...headers, authorization: `Bearer ${access_token}` });
      return (await app.post('/v1/mcp', body)).body.result;
    };
    const { taskId, resultType } = await send('tools/call', { name: 'create-backup', arguments: {} });
    expect(resultType).toBe('task');
    const status = async () => (await send('tasks/get', { taskId })).status;
    await expect.poll(status, { timeout: 60_000 }).toBe('completed');
    const { result } = (await ann.get(`/v1/operations/${taskId}/status`)).body;
    expect(JSON.parse((await send('tasks/get', { taskId })).result.content[0].text)).toEqual(result);
    expect(result).toMatchObject({ backup_id: expect.any(String) });
  });
});

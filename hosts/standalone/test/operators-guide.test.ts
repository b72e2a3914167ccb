// Goal: the requests that the guide on operators prints work as printed. Method: a service with the plugins of the
// program and the offline provider gets them in their order.
import { readFileSync } from 'node:fs';
import { offlineLanguageModel } from '@pacioli/operators';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plugins } from '../src/plugins.ts';

const guide = readFileSync(new URL('../../../docs/guide/16-operators.md', import.meta.url), 'utf8');
const [question, answer, change, approval] = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) =>
  JSON.parse(text),
);

let service: TestService;
let user: TestClient;
let graphId: string;

beforeAll(async () => {
  service = await startTestService({ plugins, languageModel: offlineLanguageModel() });
  user = await service.newUser('Ada');
  graphId = await user.createGraph('Books', ['ledger']);
});
afterAll(() => service.close());

describe('docs/guide/16-operators.md', () => {
  it('shows a question and what its answer has (ai-surface OP-11)', async () => {
    const { status, body } = await user.post(`/v1/graphs/${graphId}/operator?mode=sync`, question);
    expect(status).toBe(200);
    expect(body).toMatchObject(answer);
  });

  it('shows a change that waits for an approval, and records it after that (ai-surface OP-61, OP-62)', async () => {
    const accepted = await user.post(`/v1/graphs/${graphId}/operator/author`, change);
    expect(accepted.status).toBe(202);
    const { operation_id: id } = accepted.body;
    const waiting = (await user.follow(id)).body;
    expect(waiting.status).toBe('awaiting_input');
    expect(waiting.input_request.prompt).toContain('\ncreate-agent\n  name: "Harbour"\n  agent_type: "vendor"\n');
    await user.post(`/v1/operations/${id}/resume`, approval);
    const { body } = await user.follow(id);
    expect(body.result).toMatchObject({ content: 'Recorded.', metadata: { writes: [{ operation: 'create-agent' }] } });
    const [write] = body.result.metadata.writes;
    const { body: read } = await user.graphql(graphId, '{ agents { id name agentType } }');
    expect(read.data.agents).toEqual([{ id: write.id, name: 'Harbour', agentType: 'vendor' }]);
  });
});

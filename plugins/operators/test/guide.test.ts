import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperatorsFixture, startOperators } from './operators-service.ts';

const guide = readFileSync(new URL('../../../docs/guide/16-operators.md', import.meta.url), 'utf8');
const [question, answer, change, approval] = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) =>
  JSON.parse(text),
);

let fixture: OperatorsFixture;

beforeAll(async () => {
  fixture = await startOperators();
});
afterAll(() => fixture.close());

describe('docs/guide/16-operators.md', () => {
  it('shows a question and what its answer has', async () => {
    const { status, body } = await fixture.user.post(`${fixture.path}?mode=sync`, question);
    expect(status).toBe(200);
    expect(body).toMatchObject(answer);
  });

  it('shows a change that waits for an approval, and goes on after it', async () => {
    const waiting = await fixture.ask(change, { type: 'author' });
    expect(waiting.status).toBe('awaiting_input');
    expect(waiting.input_request.prompt).toContain('create-agent {"name":"Harbour"}');
    await fixture.user.post(`/v1/operations/${waiting.operation_id}/resume`, approval);
    const { body } = await fixture.user.follow(waiting.operation_id);
    expect(body.result).toMatchObject({ content: 'Recorded.', metadata: { writes: [{ operation: 'create-agent' }] } });
  });
});

/** @module-tag sessions */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OperatorsFixture, pluginWith, startOperators, textAnswer, toolAnswer } from './operators-service.ts';
import { calls } from './sample-tools.ts';

let fixture: OperatorsFixture;

beforeAll(async () => {
  fixture = await startOperators({
    more: pluginWith({
      pausing: {
        run: async ({ tools, resume: resumed, pauseForInput }) => {
          if (resumed !== undefined) throw new Error('the operator broke after its pause');
          await tools.offer(() => true);
          await tools.call({ name: 'create-report', input: { name: 'First' }, number: 0 });
          return pauseForInput({ prompt: 'Go on?', schema: { type: 'object' }, state: {} });
        },
      },
    }),
  });
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const steps = [
  { tool: 'read-graph-cypher', input: { query: 'x' } },
  { tool: 'create-report', input: { name: 'May' } },
  { tool: 'create-agent' },
  { reply: 'Made both.' },
];
const confirmed = { enable_rag: false, context: { confirm: true } };
/** A run of the author that waits for an approval. */
const waiting = (user = fixture.user, script: readonly object[] = steps) =>
  fixture.ask(
    { message: 'Write', enable_rag: false, context: { confirm: true, offline_script: script } },
    { type: 'author', user },
  );
const resume = (id: string, input: object, user = fixture.user) => user.post(`/v1/operations/${id}/resume`, { input });
const writes = () => calls.filter((call) => call.startsWith('create-'));

describe('the author with confirm', () => {
  it('asks for an approval of the planned calls before it writes anything (ai-surface OP-60, OP-62)', async () => {
    const ended = await waiting();
    expect(ended).toMatchObject({
      status: 'awaiting_input',
      input_request: {
        prompt: expect.stringContaining('\ncreate-report\n  name: "May"\n'),
        schema: { required: ['approve'] },
      },
    });
    expect(writes()).toEqual([]);
    const events: string[] = [];
    for await (const { event, data } of fixture.user.stream(`/v1/operations/${ended.operation_id}/stream`)) {
      events.push(event);
      if (event !== 'operation_awaiting_input') continue;
      expect(data.input_request.prompt).toContain('create-report');
      break;
    }
    expect(events).toContain('operator_started');
  });

  it('writes after an approval, and asks again for the writes of a later turn (ai-surface OP-61, OP-62)', async () => {
    const paused = await waiting();
    expect((await resume(paused.operation_id, { approve: true })).status).toBe(202);
    const again = (await fixture.user.follow(paused.operation_id)).body;
    expect(again).toMatchObject({ status: 'awaiting_input', input_request: { prompt: expect.any(String) } });
    expect(again.input_request.prompt).toContain('\ncreate-agent\n');
    expect(again.input_request.prompt).not.toContain('create-report');
    expect(writes()).toEqual([`create-report ${fixture.graphId}`]);
    expect((await resume(paused.operation_id, { approve: true })).status).toBe(202);
    const { body } = await fixture.user.follow(paused.operation_id);
    expect(body).toMatchObject({
      status: 'completed',
      result: {
        content: 'Made both.',
        metadata: {
          call_count: 4,
          loop_iterations: 4,
          writes: [
            { operation: 'create-report', id: 'rep_1', name: 'May', block_type: 'report' },
            { operation: 'create-agent', id: 'agt_1', name: null },
          ],
        },
      },
    });
    const charged = (await fixture.transactions()).filter(
      ({ metadata }: { metadata: { operation_id?: string } }) => metadata.operation_id === paused.operation_id,
    );
    expect(charged).toHaveLength(4);
    const sum = charged.reduce((total: number, { amount }: { amount: number }) => total - amount, 0);
    expect(sum).toBeCloseTo(body.result.metadata.credits_consumed, 2);
  });

  it('makes none of the writes that were not shown, even if their tools are offered since (ai-surface OP-62)', async () => {
    const { client, userId } = await fixture.colleague('member');
    const content = [
      ...toolAnswer('create-report', { name: 'May' }).content,
      ...toolAnswer('compute-forecast').content,
      ...toolAnswer('read-graph-cypher', { query: 'x' }).content,
    ];
    fixture.model.answerWith = async ({ messages }) =>
      messages.length > 1 ? textAnswer('Done.') : { ...toolAnswer('create-report'), content };
    const asked = { type: 'author', user: client };
    const { input_request: shown, operation_id: id } = await fixture.ask({ message: 'Write', ...confirmed }, asked);
    expect(shown.prompt).toContain('create-report');
    expect(shown.prompt).not.toContain('compute-forecast');
    await fixture.user.put(`/v1/graphs/${fixture.graphId}/members/${userId}`, { role: 'admin' });
    calls.length = 0;
    await resume(id, { approve: true }, client);
    const { body } = await client.follow(id);
    expect(body.result).toMatchObject({ content: 'Done.', metadata: { writes: [{ id: 'rep_1' }] } });
    expect(calls.filter((call) => !call.startsWith('get-'))).toEqual([
      `create-report ${fixture.graphId}`,
      `read-graph-cypher ${fixture.graphId}`,
    ]);
    const [made, refused, read] = fixture.model.requests.at(-1)?.messages.at(-1)?.content ?? [];
    expect([made, refused, read]).toMatchObject([{ isError: false }, { isError: true }, { isError: false }]);
    expect(JSON.stringify(refused)).toContain('not_approved');
  });

  it('keeps the approved writes when those of a later turn are declined (ai-surface OP-62)', async () => {
    const { operation_id: id } = await waiting();
    await resume(id, { approve: true });
    await fixture.user.follow(id);
    await resume(id, { approve: false });
    const { body } = await fixture.user.follow(id);
    expect(body).toMatchObject({ status: 'completed', result: { metadata: { writes: [{ id: 'rep_1' }] } } });
    expect(writes()).toEqual([`create-report ${fixture.graphId}`]);
  });

  it('shows every value of nested arguments, the short ones first (ai-surface OP-62)', async () => {
    const payload = { description: 'x'.repeat(501), base_currency: 'USD', tags: ['a\u202e'] };
    const input = { payload, note: 'New', name: 'Harbour' };
    const { input_request: asked, operation_id: id } = await waiting(fixture.user, [{ tool: 'update-agent', input }]);
    expect(asked.prompt.split('\n')).toEqual([
      'The author wants to make these calls:',
      'update-agent',
      '  note: "New"',
      '  name: "Harbour"',
      '  payload.tags.0: "a\\u{202e}"',
      '  payload.base_currency: "USD"',
      `  payload.description: "${'x'.repeat(500)}"… (501 characters)`,
      'Approve them?',
    ]);
    await resume(id, { approve: false });
    await fixture.user.follow(id);
  });

  it('asks about 100 values, and gives a call with more back to the model (ai-surface OP-62)', async () => {
    const valuesOf = (count: number) => ({
      note: 'New',
      payload: { ids: Array.from({ length: count - 1 }, (_, index) => index) },
    });
    const script = [{ tool: 'update-agent', input: valuesOf(100) }];
    const { input_request: asked, operation_id: id } = await waiting(fixture.user, script);
    expect(asked.prompt).toContain('  payload.ids.98: 98\n');
    await resume(id, { approve: false });
    await fixture.user.follow(id);
    fixture.model.answerWith = async ({ messages }) =>
      messages.length > 1 ? textAnswer('Stopped.') : toolAnswer('update-agent', valuesOf(101));
    const ended = await fixture.ask({ message: 'Write', ...confirmed }, { type: 'author' });
    expect(ended.status).toBe('completed');
    expect(JSON.stringify(fixture.model.requests.at(-1)?.messages.at(-1))).toContain('too_many_values');
    expect(writes()).toEqual([]);
  });

  it('gives calls that do not fit their tools back to the model, and asks nobody (ai-surface OP-62)', async () => {
    fixture.model.answerWith = async ({ messages }) => {
      const [bad] = toolAnswer('create-report', { title: 'May' }).content;
      const [good] = toolAnswer('create-agent', { name: 'Harbour' }).content;
      if (bad === undefined || good === undefined) throw new Error('An answer has content.');
      return messages.length > 1 ? textAnswer('Stopped.') : { ...toolAnswer('create-agent'), content: [good, bad] };
    };
    const ended = await fixture.ask({ message: 'Write', ...confirmed }, { type: 'author' });
    expect(ended).toMatchObject({ status: 'completed', result: { content: 'Stopped.' } });
    expect(writes()).toEqual([]);
    const results = JSON.stringify(fixture.model.requests.at(-1)?.messages.at(-1));
    expect(results).toContain('not_made');
    expect(results).toContain('title: Extra inputs are not permitted');
  });

  it.each([
    ['a text', 'true'],
    ['yes', 'yes'],
    ['a number', 1],
    ['a list', [true]],
    ['an object', {}],
    ['null', null],
  ])('is refused with %s for confirm before a run starts (ai-surface OP-10, OP-62)', async (_what, confirm) => {
    const body = { message: 'Write', context: { confirm, offline_script: steps } };
    for (const path of [fixture.path, `${fixture.path}/author`]) {
      const refused = await fixture.user.post(`${path}?mode=sync`, body);
      expect(refused.status).toBe(422);
      expect(refused.body.detail).toEqual([expect.objectContaining({ loc: ['body', 'context', 'confirm'] })]);
    }
    expect(calls).toEqual([]);
    expect(fixture.model.requests).toEqual([]);
  });

  it('answers without writes after they were declined, whatever the model asks for (ai-surface OP-62)', async () => {
    fixture.model.answerWith = async ({ messages }) =>
      messages.length > 3 ? textAnswer('Stopped.') : toolAnswer('create-report', { name: 'May' });
    const paused = await fixture.ask({ message: 'Write', ...confirmed }, { type: 'author' });
    await resume(paused.operation_id, { approve: false, note: 'Not in May.' });
    const { body } = await fixture.user.follow(paused.operation_id);
    expect(body).toMatchObject({ status: 'completed', result: { content: 'Stopped.' } });
    expect(body.result.metadata.writes).toBeUndefined();
    expect(writes()).toEqual([]);
    // The model learns why, has no tool that writes any more, and is refused when it asks for one nevertheless.
    const [first, second, third] = fixture.model.requests;
    expect(first?.tools.map(({ name }) => name)).toContain('create-report');
    expect(second?.tools.map(({ name }) => name)).toEqual(expect.not.arrayContaining(['create-report']));
    expect(JSON.stringify(second?.messages.at(-1))).toContain('Not in May.');
    expect(JSON.stringify(third?.messages.at(-1))).toContain('not_available');
  });

  it('refuses an answer of another form with 422 and keeps waiting, and a second answer with 409 (ai-surface OP-61)', async () => {
    const { operation_id: id } = await waiting();
    for (const input of [{}, { approve: 'yes' }, { approve: true, more: 1 }])
      expect((await resume(id, input)).status).toBe(422);
    expect((await fixture.user.get(`/v1/operations/${id}/status`)).body.status).toBe('awaiting_input');
    expect((await resume(id, { approve: false })).status).toBe(202);
    await fixture.user.follow(id);
    expect((await resume(id, { approve: true })).status).toBe(409);
  });

  it('is resumed by nobody else, and not by a user who lost the role meanwhile (ai-surface OP-61)', async () => {
    const { client, userId } = await fixture.colleague('member');
    const { operation_id: id } = await waiting(client);
    expect((await resume(id, { approve: true })).status).toBe(403);
    await fixture.user.put(`/v1/graphs/${fixture.graphId}/members/${userId}`, { role: 'viewer' });
    await resume(id, { approve: true }, client);
    const { body } = await client.follow(id);
    expect([body.status, body.error_details?.code]).toEqual(['failed', 'FORBIDDEN']);
    expect(writes()).toEqual([]);
  });

  it('is not resumed without credits (ai-surface OP-61)', async () => {
    const { operation_id: id } = await waiting();
    await fixture.setBalance(1);
    await resume(id, { approve: true });
    expect((await fixture.user.follow(id)).body.error_details).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect(writes()).toEqual([]);
    await fixture.setBalance(5_000);
  });

  it('lists its writes when it is not resumed any more, or fails after it (ai-surface 7.5, OP-61)', async () => {
    const { operation_id: id } = await waiting();
    await resume(id, { approve: true });
    await fixture.user.follow(id);
    await fixture.setBalance(1);
    await resume(id, { approve: true });
    const write = { operation: 'create-report', id: 'rep_1', block_type: 'report' };
    expect((await fixture.user.follow(id)).body).toMatchObject({
      status: 'failed',
      error_details: { code: 'INSUFFICIENT_CREDITS', writes: [{ ...write, name: 'May' }] },
    });
    await fixture.setBalance(5_000);
    const paused = await fixture.ask({ message: 'Write' }, { type: 'pausing' });
    await resume(paused.operation_id, {});
    expect((await fixture.user.follow(paused.operation_id)).body).toMatchObject({
      status: 'failed',
      error_details: { writes: [{ ...write, name: 'First' }] },
    });
  });

  it('does not wait without writes or without confirm (ai-surface OP-62)', async () => {
    const read = await fixture.script([steps[0] ?? {}, { reply: 'Read.' }], confirmed, 'author');
    expect(read.result.content).toBe('Read.');
    expect((await fixture.script(steps, { enable_rag: false }, 'author')).status).toBe('completed');
  });
});

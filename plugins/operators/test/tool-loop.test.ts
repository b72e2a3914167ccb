/** @module-tag sessions */
import { LanguageModelError } from '@pacioli/core/ports';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OperatorsFixture, pluginWith, startOperators, textAnswer, toolAnswer } from './operators-service.ts';
import { calls } from './sample-tools.ts';

let fixture: OperatorsFixture;
let release: () => void = () => undefined;

beforeAll(async () => {
  fixture = await startOperators({
    more: pluginWith({
      breaking: {
        run: async ({ tools }) => {
          await tools.offer(() => true);
          await tools.call({ name: 'create-report', input: { name: 'First' }, number: 0 });
          throw new Error('the operator broke');
        },
      },
      hurried: {
        isReadOnly: true,
        depth: { maxTurns: 1, maxOutputTokens: 10, maxInputTokens: 1_000, timeoutMs: 1, rows: 1 },
        run: async (ctx) => {
          const { runToolLoop } = await import('../src/index.ts');
          return runToolLoop(ctx, { system: '', messages: [], choose: () => true, confirmsWrites: false });
        },
        needsModel: true,
      },
    }),
  });
});
beforeEach(() => {
  fixture.reset();
});
afterAll(async () => {
  release();
  await fixture.close();
});

const cypher = (query = 'MATCH (n) RETURN n') => ({ tool: 'read-graph-cypher', input: { query } });
const analyze = (steps: readonly object[], more: object = {}) => fixture.script(steps, { enable_rag: false, ...more });
/** The calls of tools, without those that describe the graph. */
const toolCalls = () => calls.map((call) => call.split(' ')[0]).filter((name) => !name?.startsWith('get-'));

describe('the tool loop of the analyst', () => {
  it('answers from tool results, with the last rows and their statement (ai-surface 7.5, OP-30)', async () => {
    const { result } = await analyze([cypher(), cypher('nothing'), { reply: 'Three berths.' }]);
    expect(result).toMatchObject({
      content: 'Three berths.',
      confidence_score: 0.9,
      metadata: { cypher: 'MATCH (n) RETURN n', result_count: 1, loop_iterations: 3, hit_step_limit: false },
    });
  });

  it('offers no tool that writes, and executes none that was not offered (ai-surface 7.5, PX-1)', async () => {
    const answers = [toolAnswer('create-report'), toolAnswer('no-such-tool'), textAnswer('No.')];
    fixture.model.answerWith = async () => answers[fixture.model.requests.length - 1] ?? textAnswer('');
    const { result } = await fixture.ask({ message: 'Read', enable_rag: false });
    expect(result).toMatchObject({ confidence_score: 0.2, content: 'No.' });
    expect(result.metadata.writes).toBeUndefined();
    expect(toolCalls()).toEqual([]);
    expect(fixture.model.requests).toHaveLength(3);
    for (const { tools } of fixture.model.requests) {
      const offered = tools.map(({ name }) => name);
      expect(offered).toContain('read-graph-cypher');
      expect(offered).not.toContain('create-report');
    }
  });

  it('has two free turns of failures, then answers at the cap of turns in one last call (ai-surface 7.5)', async () => {
    const failures = Array(2).fill({ tool: 'break-always' });
    const { result } = await analyze([...failures, ...Array(3).fill(cypher()), { reply: 'Last.' }], { mode: 'quick' });
    expect(result).toMatchObject({
      content: 'Last.',
      confidence_score: 0.5,
      metadata: { hit_step_limit: true, loop_iterations: 6 },
    });
  });

  it('does not execute what the last call asks for, and says that there is no final answer (ai-surface 7.5)', async () => {
    const { result } = await analyze(Array(9).fill(cypher()), { mode: 'quick' });
    expect(result.content).toBe('The operator gathered results but no final answer.');
    expect(toolCalls()).toHaveLength(3);
  });

  it('answers with what it has at the ceiling of credits (ai-surface OP-44)', async () => {
    const { result } = await analyze([cypher(), { reply: 'Enough.' }], { max_credits: 0.5 });
    expect(result).toMatchObject({
      content: 'Enough.',
      confidence_score: 0.5,
      metadata: { hit_credit_ceiling: true, hit_step_limit: false, loop_iterations: 2 },
    });
  });

  it('gives the model at most 12,000 characters of a result (ai-surface 7.5)', async () => {
    fixture.model.answerWith = async ({ messages }) =>
      messages.length === 1 ? toolAnswer('print-text', { length: 50_000 }) : textAnswer('Read.');
    await fixture.ask({ message: 'Read', enable_rag: false });
    const text = JSON.stringify(fixture.model.requests[1]?.messages.at(-1));
    expect(text).toMatch(/truncated; 5\d{4} chars total/);
    expect(text.length).toBeLessThan(12_300);
  });

  it('executes at most 16 calls of one turn (ai-surface PX-11)', async () => {
    const many = Array.from({ length: 17 }, (_, index) => ({
      type: 'tool_use' as const,
      id: `call_${index}`,
      name: 'read-graph-cypher',
      input: { query: 'x' },
    }));
    fixture.model.answerWith = async ({ messages }) =>
      messages.length === 1 ? { ...textAnswer(''), content: many, stopReason: 'tool_use' } : textAnswer('Done.');
    await fixture.ask({ message: 'Read', enable_rag: false });
    expect(toolCalls()).toHaveLength(16);
    expect(JSON.stringify(fixture.model.requests[1]?.messages.at(-1))).toContain('At most 16 calls');
  });

  it('answers with PROVIDER_ERROR and without a charge if the provider fails (ai-surface OP-13)', async () => {
    const before = await fixture.balance();
    fixture.model.answerWith = async () => {
      throw new LanguageModelError('openai-compatible answered with status 500.', { isTransient: true });
    };
    const { status, result } = await fixture.ask({ message: 'Read' });
    expect([status, result.error_details]).toEqual([
      'completed',
      { code: 'PROVIDER_ERROR', message: 'openai-compatible answered with status 500.' },
    ]);
    expect(result.is_partial).toBe(true);
    expect(await fixture.balance()).toBe(before);
  });

  it('ends at its time limit with an answer that says so (ai-surface 7.4, OP-13)', async () => {
    fixture.model.answerWith = ({ signal }) =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const { result } = await fixture.ask({ message: 'Wait' }, { type: 'hurried' });
    expect(result.error_details).toMatchObject({ code: 'TIMEOUT' });
    expect(result.confidence_score).toBe(0.2);
  });

  it('makes no model call after a cancellation, and stores an answer (ai-surface 7.5, platform L-9)', async () => {
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    fixture.model.answerWith = async () => {
      await held;
      return toolAnswer('read-graph-cypher', { query: 'x' });
    };
    const { body } = await fixture.user.post(fixture.path, { message: 'Wait', enable_rag: false });
    await expect.poll(() => fixture.model.requests.length).toBe(1);
    await fixture.user.request('DELETE', `/v1/operations/${body.operation_id}`);
    release();
    const status = `/v1/operations/${body.operation_id}/status`;
    await expect
      .poll(async () => (await fixture.user.get(status)).body.result?.content)
      .toBe('Cancelled before an answer was reached.');
    const ended = (await fixture.user.get(status)).body;
    expect(ended).toMatchObject({
      status: 'cancelled',
      result: { confidence_score: 0, metadata: { cancelled: true }, error_details: { code: 'CANCELLED' } },
    });
    expect(fixture.model.requests).toHaveLength(1);
  });
});

describe('the author', () => {
  it('writes by its list of tools, with a receipt of each write (ai-surface OP-4, 7.5)', async () => {
    const steps = [
      { tool: 'create-report', input: { name: 'May' } },
      { tool: 'create-agent' },
      { reply: 'Made both.' },
    ];
    const { result } = await fixture.script(steps, {}, 'author');
    expect(result.metadata.writes).toEqual([
      { operation: 'create-report', id: 'rep_1', name: 'May', block_type: 'report' },
      { operation: 'create-agent', id: 'agt_1', name: null },
    ]);
  });

  it.each(['delete-report', 'close-period', 'create-security'])(
    'has no tool %s on this graph (ai-surface OP-4, PX-5)',
    async (tool) => {
      const { result } = await fixture.script([{ tool }, { reply: 'No.' }], { enable_rag: false }, 'author');
      expect([result.content, result.metadata.writes, toolCalls()]).toEqual(['No.', undefined, []]);
    },
  );
});

it('a run that fails after a write lists the write, and hides the reason (ai-surface 7.5, platform L-15)', async () => {
  const ended = await fixture.ask({ message: 'Break' }, { type: 'breaking' });
  expect(ended).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^Operation failed — reference/),
    error_details: { writes: [{ operation: 'create-report', id: 'rep_1', name: 'First', block_type: 'report' }] },
  });
});

import type { ModelBlock, ModelRequest } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { describeLanguageModel } from '../testing/index.ts';
import { offlineLanguageModel } from './offline-model.ts';
import { scriptedModel, scriptOf } from './script.ts';

describeLanguageModel('offline', async () => ({ model: offlineLanguageModel() }));

const names = [
  'read-graph-cypher',
  'live-financial-statement',
  'get-holdings',
  'get-portfolio-block',
  'search-documents',
];

const asked = (text: string, results: readonly ModelBlock[] = [], tools = names): ModelRequest => ({
  model: 'offline',
  system: '',
  messages: [
    { role: 'user', content: [{ type: 'text', text }] },
    ...results.map((result) => ({ role: 'user' as const, content: [result] })),
  ],
  tools: tools.map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  maxTokens: 100,
  signal: new AbortController().signal,
});

describe('the planner of the offline provider', () => {
  it.each([
    ['What is our cash balance?', 'live-financial-statement', { statement_type: 'balance_sheet' }],
    ['Show the income statement', 'live-financial-statement', { statement_type: 'income_statement' }],
    ['cash flow of May', 'live-financial-statement', { statement_type: 'cash_flow_statement' }],
    ['What holdings do we have?', 'get-holdings', {}],
    ['Search for lease terms', 'search-documents', { query: 'lease terms' }],
    ['Anything else', 'read-graph-cypher', { query: expect.stringContaining('count(n)') }],
  ])('chooses for "%s" the tool %s (ai-surface OP-71)', async (question, name, input) => {
    const { content } = await offlineLanguageModel().createMessage(asked(question));
    expect(content).toEqual([{ type: 'tool_use', id: 'call_1', name, input }]);
  });

  it('tries the next tool after an error, and answers with the error when none is left (ai-surface OP-71)', async () => {
    const failed = (name: string): ModelBlock => ({
      type: 'tool_result',
      toolUseId: 'call_1',
      name,
      text: '{"error":"x"}',
      isError: true,
    });
    const model = offlineLanguageModel();
    const second = await model.createMessage(asked('Our holdings', [failed('get-holdings')]));
    expect(second.content).toMatchObject([{ name: 'get-portfolio-block' }]);
    const both = [failed('get-holdings'), failed('get-portfolio-block'), failed('read-graph-cypher')];
    const last = await model.createMessage(asked('Our holdings', both));
    expect(last.content).toMatchObject([{ type: 'text', text: expect.stringContaining('could not be used') }]);
    const none = await model.createMessage(asked('Our holdings', [], []));
    expect(none.content).toEqual([{ type: 'text', text: 'The offline provider has no tool for this question.' }]);
  });

  it('answers the same request with the same bytes and a token for four characters (ai-surface OP-71)', async () => {
    const answers = await Promise.all([1, 2].map(() => offlineLanguageModel().createMessage(asked('Show the graph'))));
    expect(JSON.stringify(answers[0])).toBe(JSON.stringify(answers[1]));
    expect(answers[0]?.usage.output).toBe(Math.ceil(JSON.stringify(answers[0]?.content).length / 4));
  });
});

describe('a script of the offline provider', () => {
  it('is followed turn by turn, and ends with an empty text (ai-surface OP-71)', async () => {
    const steps = scriptOf({ offline_script: [{ tool: 'get-holdings' }, { reply: 'Done.' }] }) ?? [];
    const model = scriptedModel(offlineLanguageModel(), steps);
    const result: ModelBlock = { type: 'tool_result', toolUseId: 'call_1', name: 'x', text: '1', isError: false };
    const texts = [];
    for (const results of [[], [result], [result, result]])
      texts.push((await model.createMessage(asked('Go', results))).content);
    expect(texts).toEqual([
      [{ type: 'tool_use', id: 'call_1', name: 'get-holdings', input: {} }],
      [{ type: 'text', text: 'Done.' }],
      [{ type: 'text', text: '' }],
    ]);
  });

  it.each([
    ['no list', 'x'],
    ['a list with a step that has neither a reply nor a tool', [{ say: 'x' }]],
    ['a list of 101 steps', Array.from({ length: 101 }, () => ({ reply: '' }))],
  ])('is refused if it is %s (ai-surface OP-71)', (_what, script) => {
    expect(() => scriptOf({ offline_script: script })).toThrow('offline_script must be a list');
    expect(scriptOf({ offline_script: Array.from({ length: 100 }, () => ({ reply: '' })) })).toHaveLength(100);
    expect(scriptOf({})).toBeUndefined();
  });
});

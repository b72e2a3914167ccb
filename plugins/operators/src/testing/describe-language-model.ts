import { type LanguageModel, LanguageModelError, type ModelRequest, type ModelTool } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A model under test. When it is asked to count nodes, it must ask for the tool `read-graph-cypher`. */
export interface TestedModel {
  readonly model: LanguageModel;
  close?(): Promise<void>;
}

const tool: ModelTool = {
  name: 'read-graph-cypher',
  description: 'Runs a statement that reads.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

/** The suite that every provider of models passes (ai-surface 7.9). */
export function describeLanguageModel(name: string, create: () => Promise<TestedModel>): void {
  describe(`the language model ${name}`, () => {
    let tested: TestedModel;
    const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
      model: tested.model.models().find(({ profile }) => profile === 'balanced')?.name ?? '',
      system: 'Answer by calling tools.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Count the nodes by label.' }] }],
      tools: [tool],
      maxTokens: 500,
      signal: new AbortController().signal,
      ...more,
    });

    beforeAll(async () => {
      tested = await create();
    });
    afterAll(() => tested.close?.());

    it('has a model for the profile balanced, and one at most for each profile (ai-surface OP-70)', () => {
      const profiles = tested.model.models().map(({ profile }) => profile);
      expect(profiles).toContain('balanced');
      expect(new Set(profiles).size).toBe(profiles.length);
    });

    it('asks for an offered tool with an id, and counts the tokens (ai-surface 7.9)', async () => {
      const answer = await tested.model.createMessage(request());
      expect(answer.stopReason).toBe('tool_use');
      const uses = answer.content.filter(({ type }) => type === 'tool_use');
      expect(uses).toEqual([
        { type: 'tool_use', id: expect.stringMatching(/./), name: tool.name, input: expect.objectContaining({}) },
      ]);
      expect(answer.model).toBe(request().model);
      for (const count of Object.values(answer.usage)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      expect(answer.usage.input).toBeGreaterThan(0);
      expect(answer.usage.output).toBeGreaterThan(0);
    });

    it('answers with text from the result of a tool (ai-surface 7.9)', async () => {
      const first = await tested.model.createMessage(request());
      const use = first.content.find((block) => block.type === 'tool_use');
      const result = { type: 'tool_result', toolUseId: use?.id ?? '', name: tool.name, isError: false } as const;
      const answer = await tested.model.createMessage(
        request({
          messages: [
            ...request().messages,
            { role: 'assistant', content: first.content },
            { role: 'user', content: [{ ...result, text: '[{"label":"Berth","nodes":3}]' }] },
          ],
        }),
      );
      expect(answer.stopReason).toBe('end_turn');
      expect(answer.content.map(({ type }) => type)).toEqual(['text']);
      expect(JSON.stringify(answer.content)).toContain('Berth');
    });

    it('answers with text without tools (ai-surface 7.9)', async () => {
      const answer = await tested.model.createMessage(request({ tools: [] }));
      expect(answer.content.map(({ type }) => type)).toEqual(['text']);
    });

    it('refuses a model that it does not have (ai-surface OP-70)', async () => {
      const failure = await tested.model.createMessage(request({ model: 'nobody-knows' })).catch((error) => error);
      expect(failure).toBeInstanceOf(LanguageModelError);
      expect(failure.isTransient).toBe(false);
    });

    it('makes no call for a request that was aborted (ai-surface 7.9)', async () => {
      const signal = AbortSignal.abort(new Error('The run has ended.'));
      await expect(tested.model.createMessage(request({ signal }))).rejects.toThrow('The run has ended.');
    });
  });
}

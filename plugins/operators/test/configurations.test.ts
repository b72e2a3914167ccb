import { contribute, definePlugin } from '@pacioli/core';
import type { LanguageModel } from '@pacioli/core/ports';
import { afterEach, describe, expect, it } from 'vitest';
import { operators } from '../src/index.ts';
import { type OperatorsFixture, pluginWith, startOperators } from './operators-service.ts';

let fixture: OperatorsFixture | undefined;

afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

const modelNamed = (facts: ReturnType<LanguageModel['models']>): LanguageModel => ({
  id: 'configured',
  models: () => facts,
  createMessage: () => Promise.reject(new Error('No call is expected.')),
});

describe('a deployment without a language model', () => {
  it('answers 503 for operators that need one; the others work (ai-surface OP-71)', async () => {
    fixture = await startOperators({ languageModel: null, more: pluginWith({ plain: {} }) });
    const refused = await fixture.user.post(fixture.path, { message: 'Count' });
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      503,
      'NO_LANGUAGE_MODEL',
      'No language model is configured.',
    ]);
    expect((await fixture.ask({ message: 'Count' }, { type: 'plain' })).result.content).toBe('You said: Count');
    const script = { context: { offline_script: [{ reply: 'x' }] } };
    const scripted = await fixture.user.post(`${fixture.path}/plain`, { message: 'x', ...script });
    expect([scripted.status, scripted.body.code]).toEqual([422, 'INVALID_INPUT']);
  });
});

describe('a deployment with operators switched off', () => {
  it('lists them and refuses requests with 403 (ai-surface OP-10)', async () => {
    fixture = await startOperators({ settings: { enabled: false } });
    const refused = await fixture.user.post(fixture.path, { message: '' });
    expect([refused.status, refused.body.detail]).toEqual([403, 'Operator POST operations are currently disabled.']);
    expect((await fixture.user.get(fixture.path)).status).toBe(200);
  });
});

describe('a deployment with an inline grace', () => {
  it('returns the answer if it comes in time, unless the caller asks for a mode (ai-surface OP-12)', async () => {
    fixture = await startOperators({ settings: { inlineGraceMs: 50_000 } });
    const answered = await fixture.user.post(fixture.path, { message: 'Count' });
    expect([answered.status, answered.body.operator_used]).toEqual([200, 'analyst']);
    expect((await fixture.user.post(`${fixture.path}?mode=async`, { message: 'Count' })).status).toBe(202);
    // A run that waits for a person is not over.
    const steps = [{ tool: 'create-report' }, { reply: 'Done.' }];
    const asked = { message: 'Write', context: { confirm: true, offline_script: steps } };
    const waiting = await fixture.user.post(`${fixture.path}/author`, asked);
    expect([waiting.status, waiting.body.status]).toEqual([202, 'awaiting_input']);
  });
});

describe('the start of a deployment', () => {
  const second = definePlugin({
    name: 'second',
    title: 'Second',
    version: '0.1.0',
    kernel: '^0.1.0',
    dependsOn: ['operators'],
    contributions: [contribute(operators, 'analyst', { create: () => ({}) as never })],
  });

  it.each([
    [
      'a model without a price',
      { languageModel: modelNamed([{ name: 'unpriced', profile: 'balanced' }]) },
      'unpriced has no price',
    ],
    [
      'no model for a profile that is used',
      { languageModel: modelNamed([{ name: 'openai_gpt4', profile: 'economy' }]) },
      'no model for the profile balanced',
    ],
    ['a type that clients cannot send', { more: pluginWith({ 'a b': {} }) }, 'a b is no type of an operator'],
    ['a type that exists', { more: second }, 'analyst'],
  ])('fails with %s (ai-surface 7.1, OP-70)', async (_what, options, message) => {
    await expect(startOperators(options)).rejects.toThrow(message);
  });
});

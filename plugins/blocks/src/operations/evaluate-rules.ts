import { defineOperation } from '@pacioli/core';
import { resultLite } from '../models/to-wire.ts';
import { evaluateRulesRequest, evaluateRulesResponse } from '../models/verification.ts';
import { ruleEngine } from '../tokens.ts';

export default defineOperation({
  name: 'evaluate-rules',
  summary: 'Evaluates the rules of a structure over its facts and stores the results.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'evaluate_rules', tag: 'extensions_robo_ledger' },
  input: evaluateRulesRequest,
  output: evaluateRulesResponse,
  services: { ruleEngine },
  errors: {
    INVALID_INPUT:
      'The structure is unknown, the fact set belongs to another one, or the period ends before it starts.',
    TOO_MANY_FACTS: {
      kind: 'too_large',
      meaning: 'The structure has more facts than one evaluation reads; give a period.',
    },
  },

  async handle({ input, ctx, use }) {
    const { results, summary } = await use.ruleEngine.evaluate(ctx.tx, {
      structureIds: [input.structure_id],
      factSetId: input.fact_set_id ?? null,
      periodStart: input.period_start ?? null,
      periodEnd: input.period_end ?? null,
      userId: ctx.caller.userId,
      now: ctx.now(),
    });
    return {
      structure_id: input.structure_id,
      results: results.map(resultLite),
      summary: results.length === 0 ? {} : summary,
    };
  },
});

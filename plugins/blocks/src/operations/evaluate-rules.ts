import { defineOperation, invalidInput } from '@pacioli/core';
import { isCalendarDate } from '../domain/dates.ts';
import { resultLite } from '../models/to-wire.ts';
import { evaluateRulesRequest, evaluateRulesResponse } from '../models/verification.ts';
import { ruleEngine } from '../tokens.ts';

export default defineOperation({
  name: 'evaluate-rules',
  summary: 'Judges the rules of a structure over its facts and keeps the results.',
  need: 'member',
  domain: 'ledger',
  openapi: { id: 'evaluate_rules', tag: 'extensions_robo_ledger' },
  input: evaluateRulesRequest,
  output: evaluateRulesResponse,
  needs: { ruleEngine },
  errors: {
    INVALID_INPUT:
      'The structure is unknown, the fact set belongs to another one, or the period ends before it starts.',
    TOO_MANY_FACTS: { kind: 'too_large', meaning: 'More facts than one evaluation reads; give a period.' },
  },

  async handle({ input, ctx, use }) {
    for (const date of [input.period_start, input.period_end]) {
      if (date != null && !isCalendarDate(date)) throw invalidInput(`'${date}' is no calendar date YYYY-MM-DD.`);
    }
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

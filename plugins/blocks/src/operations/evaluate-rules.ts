import { calendarDate, defineOperation, mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { resultLite } from '../models/to-wire.ts';
import { verificationResultLite } from '../models/verification.ts';
import { ruleEngine } from '../tokens.ts';

const evaluateRulesRequest = model('EvaluateRulesRequest', {
  structure_id: Type.String(),
  fact_set_id: Type.Optional(nullable(Type.String())),
  period_start: Type.Optional(nullable(calendarDate())),
  period_end: Type.Optional(nullable(calendarDate())),
});

const evaluateRulesResponse = model('EvaluateRulesResponse', {
  structure_id: Type.String(),
  results: Type.Array(verificationResultLite),
  summary: Type.Optional(mapOf(Type.Integer())),
});

export default defineOperation({
  name: 'evaluate-rules',
  summary: 'Evaluates the rules of a structure over its facts and stores the results.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'evaluate_rules', tag: 'extensions_robo_ledger' },
  input: evaluateRulesRequest,
  output: evaluateRulesResponse,
  mcp: {
    hint: 'Checks the rules of a block or report against its facts; use it after figures have changed.',
    idempotent: true,
  },
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

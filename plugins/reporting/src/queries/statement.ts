import { factStore } from '@pacioli/blocks';
import { defineQuery, invalidInput, model, nullable } from '@pacioli/core';
import { ValidationCheck } from '@pacioli/ledger';
import { Type } from 'typebox';
import { PeriodSpec } from '../models/PeriodSpec.ts';
import { readStatement } from '../reports/index.ts';

const FactRow = model('FactRow', {
  element_id: Type.String(),
  element_qname: Type.String(),
  element_name: Type.String(),
  trait: nullable(Type.String()),
  values: Type.Array(nullable(Type.Number())),
  is_subtotal: Type.Boolean(),
  depth: Type.Integer(),
});

const Statement = model('Statement', {
  report_id: Type.String(),
  structure_id: Type.String(),
  structure_name: Type.String(),
  block_type: Type.String(),
  periods: Type.Array(PeriodSpec),
  rows: Type.Array(FactRow),
  validation: nullable(ValidationCheck),
  unmapped_count: Type.Integer(),
});

const blockTypes: readonly string[] = [
  'balance_sheet',
  'income_statement',
  'cash_flow_statement',
  'equity_statement',
  'comprehensive_income',
  'regulatory_disclosure',
  'schedule',
  'custom',
];

export default defineQuery({
  name: 'statement',
  summary: 'One statement of a report with its figures and the checks on them; null if the graph has no such report.',
  args: model('StatementArgs', { report_id: Type.String(), block_type: Type.String() }),
  returns: nullable(Statement),
  services: { facts: factStore },
  cost: { points: 20 },
  async resolve({ args, ctx, use }) {
    if (!blockTypes.includes(args.block_type)) {
      throw invalidInput(`blockType: '${args.block_type}' is unknown. Use one of ${blockTypes.join(', ')}.`);
    }
    return readStatement(ctx.tx, use.facts, args.report_id, args.block_type);
  },
});

import { defineQuery, model, nullable } from '@pacioli/core';
import { mappings } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { dateRange, rangeOf } from '../models/dates.ts';
import { ValidationCheck, validationOf } from '../models/ValidationCheck.ts';
import { balances } from '../tokens.ts';
import { majorUnits } from '../values/index.ts';

const MappedTrialBalanceRow = model('MappedTrialBalanceRow', {
  reporting_element_id: Type.String(),
  qname: Type.String(),
  reporting_name: Type.String(),
  trait: nullable(Type.String()),
  balance_type: nullable(Type.String()),
  total_debits: Type.Number(),
  total_credits: Type.Number(),
  net_balance: Type.Number(),
});

export default defineQuery({
  name: 'mappedTrialBalance',
  summary: 'The trial balance by reporting concept; accounts without a concept are omitted.',
  args: model('MappedTrialBalanceArgs', { mapping_id: Type.String(), ...dateRange }),
  returns: nullable(
    model('MappedTrialBalance', {
      mapping_id: Type.String(),
      rows: Type.Array(MappedTrialBalanceRow),
      validation: nullable(ValidationCheck),
    }),
  ),
  services: { balances, mappings },
  cost: { points: 30 },
  async resolve({ args, ctx, use }) {
    const range = rangeOf(args);
    const mapping = await use.mappings.concepts(ctx.tx, args.mapping_id);
    // An unknown mapping is not an error for a read (taxonomy M-22).
    if (mapping === undefined) return null;
    const { currency, columns } = await use.balances.inRanges(ctx.tx, [range]);
    const { sums, foreign } = columns[0] ?? { sums: [], foreign: [] };
    const concepts = new Map(mapping.arcs.map((arc) => [arc.accountId, arc.concept]));
    const totals = new Map<string, { debit: bigint; credit: bigint }>();
    for (const { accountId, debit, credit } of sums) {
      const concept = concepts.get(accountId);
      if (concept === undefined) continue;
      const total = totals.get(concept.id) ?? { debit: 0n, credit: 0n };
      totals.set(concept.id, { debit: total.debit + debit, credit: total.credit + credit });
    }
    const byId = new Map(mapping.arcs.map((arc) => [arc.concept.id, arc.concept]));
    const rows = [...totals].flatMap(([id, { debit, credit }]) => {
      const concept = byId.get(id);
      if (concept === undefined) return [];
      return [
        {
          reporting_element_id: id,
          qname: concept.qname ?? '',
          reporting_name: concept.name,
          trait: concept.trait,
          balance_type: concept.balanceType,
          total_debits: majorUnits(debit, currency),
          total_credits: majorUnits(credit, currency),
          net_balance: majorUnits(debit - credit, currency),
        },
      ];
    });
    return {
      mapping_id: mapping.id,
      rows: rows.sort((a, b) => (a.qname < b.qname ? -1 : 1)),
      validation: validationOf(foreign, currency),
    };
  },
});

import { defineQuery, model, notFound, nullable } from '@pacioli/core';
import { chartOfAccounts, mappings } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { naturalBalance, rollUp } from '../balances/index.ts';
import { dateRange, rangeOf } from '../models/dates.ts';
import { balances } from '../tokens.ts';
import { majorUnits } from '../values/index.ts';

const AccountRollupRow = model('AccountRollupRow', {
  element_id: Type.String(),
  account_name: Type.String(),
  account_code: nullable(Type.String()),
  total_debits: Type.Number(),
  total_credits: Type.Number(),
  net_balance: Type.Number(),
});

const AccountRollupGroup = model('AccountRollupGroup', {
  reporting_element_id: Type.String(),
  reporting_name: Type.String(),
  reporting_qname: Type.String(),
  trait: Type.String(),
  balance_type: Type.String(),
  total: Type.Number(),
  accounts: Type.Array(AccountRollupRow),
});

export default defineQuery({
  name: 'accountRollups',
  summary: "The accounts of a mapping, grouped by reporting concept, with balances on the concept's normal side.",
  args: model('AccountRollupsArgs', { mapping_id: Type.Optional(nullable(Type.String())), ...dateRange }),
  returns: nullable(
    model('AccountRollups', {
      mapping_id: Type.String(),
      mapping_name: Type.String(),
      groups: Type.Array(AccountRollupGroup),
      total_mapped: Type.Integer(),
      total_unmapped: Type.Integer(),
    }),
  ),
  services: { balances, chartOfAccounts, mappings },
  cost: { points: 30 },
  async resolve({ args, ctx, use }) {
    const range = rangeOf(args);
    const mappingId = args.mapping_id ?? (await use.mappings.bookMappingId(ctx.tx));
    if (mappingId === undefined)
      return { mapping_id: '', mapping_name: 'No mapping found', groups: [], total_mapped: 0, total_unmapped: 0 };
    const mapping = await use.mappings.concepts(ctx.tx, mappingId);
    if (mapping === undefined) throw notFound('Mapping not found');
    const { currency, columns } = await use.balances.inRanges(ctx.tx, [range]);
    const { sums, foreign } = columns[0] ?? { sums: [], foreign: [] };
    // This response cannot carry the check of the trial balance, so the omission is logged (ledger L-5).
    if (foreign.length > 0) ctx.log.warn('Posted lines in foreign currencies are left out of rollups.', { foreign });
    const accounts = await use.chartOfAccounts.all(ctx.tx, { includeInactive: true });
    const concepts = new Map(mapping.arcs.map(({ accountId, concept }) => [accountId, concept]));
    const bySum = new Map(sums.map((sum) => [sum.accountId, sum]));
    // A mapped account without activity stays, with zeros (ledger L-42).
    const rows = accounts.flatMap((account) => {
      const concept = concepts.get(account.id);
      const { debit, credit } = bySum.get(account.id) ?? { debit: 0n, credit: 0n };
      return concept === undefined ? [] : [{ account: { ...account, accountId: account.id, debit, credit }, concept }];
    });
    const unmapped = accounts.filter(({ id, isActive, isAbstract }) => isActive && !isAbstract && !concepts.has(id));
    return {
      mapping_id: mapping.id,
      mapping_name: mapping.name,
      groups: rollUp(rows).map((group) => ({
        reporting_element_id: group.conceptId,
        reporting_name: group.name,
        reporting_qname: group.qname,
        trait: group.trait,
        balance_type: group.balanceType,
        total: majorUnits(group.total, currency),
        accounts: group.accounts.map((account) => ({
          element_id: account.id,
          account_name: account.name,
          account_code: account.code,
          total_debits: majorUnits(account.debit, currency),
          total_credits: majorUnits(account.credit, currency),
          net_balance: majorUnits(naturalBalance(group.balanceType, account), currency),
        })),
      })),
      total_mapped: rows.length,
      total_unmapped: unmapped.length,
    };
  },
});

import { calendarDate, defineQuery, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { closing } from '../books.ts';
import { monthOf } from '../close/index.ts';
import { exactMinor, periodPattern } from '../values/index.ts';

const text = () => nullable(Type.String());

const DraftLineItem = model('DraftLineItem', {
  line_item_id: Type.String(),
  element_id: Type.String(),
  element_code: text(),
  element_name: Type.String(),
  debit_amount: Type.Integer(),
  credit_amount: Type.Integer(),
  description: text(),
});

const DraftEntry = model('DraftEntry', {
  entry_id: Type.String(),
  posting_date: calendarDate(),
  type: Type.String(),
  memo: text(),
  provenance: text(),
  source_structure_id: text(),
  source_structure_name: text(),
  line_items: Type.Array(DraftLineItem),
  total_debit: Type.Integer(),
  total_credit: Type.Integer(),
  balanced: Type.Boolean(),
  will_publish_to_qb: Type.Boolean(),
});

export default defineQuery({
  name: 'periodDrafts',
  summary: 'The drafts that a close of the month would post: totals of all, and the first 1,000 in full.',
  args: model('PeriodDraftsArgs', { period: Type.String() }),
  returns: nullable(
    model('PeriodDrafts', {
      period: Type.String(),
      period_start: calendarDate(),
      period_end: calendarDate(),
      draft_count: Type.Integer(),
      total_debit: Type.Integer(),
      total_credit: Type.Integer(),
      all_balanced: Type.Boolean(),
      qb_writeback_connection_id: text(),
      qb_write_policy: text(),
      qb_publish_count: Type.Integer(),
      local_only_count: Type.Integer(),
      drafts: Type.Array(DraftEntry),
    }),
  ),
  mcp: { tool: 'list-period-drafts', hint: 'Use it to review what a close would post.' },
  services: { closing },
  async resolve({ args, ctx, use }) {
    if (!new RegExp(periodPattern).test(args.period))
      throw invalidInput(`period: '${args.period}' is not a month; write it as YYYY-MM.`);
    const month = monthOf(args.period);
    const { totals, publishing, rows, lines, accounts } = await use.closing.closeReader.drafts(ctx.tx, month);
    const publishCount = publishing === undefined ? 0 : totals.publishable;
    return {
      period: month.period,
      period_start: month.start,
      period_end: month.end,
      draft_count: totals.drafts,
      total_debit: exactMinor(totals.debit, 'The total of the drafts'),
      total_credit: exactMinor(totals.credit, 'The total of the drafts'),
      all_balanced: totals.isBalanced,
      qb_writeback_connection_id: publishing?.connectionId ?? null,
      qb_write_policy: publishing?.writePolicy ?? null,
      qb_publish_count: publishCount,
      local_only_count: totals.drafts - publishCount,
      drafts: rows.map((row) => {
        const items = lines.get(row.id) ?? [];
        const debit = items.reduce((sum, line) => sum + BigInt(line.debit_amount), 0n);
        const credit = items.reduce((sum, line) => sum + BigInt(line.credit_amount), 0n);
        return {
          entry_id: row.id,
          posting_date: row.posting_date,
          type: row.type,
          memo: row.memo,
          provenance: row.provenance,
          source_structure_id: row.source_structure_id,
          source_structure_name: row.source_structure_name,
          line_items: items.map((line) => ({
            line_item_id: line.id,
            element_id: line.element_id,
            element_code: accounts.get(line.element_id)?.code ?? null,
            element_name: accounts.get(line.element_id)?.name ?? line.element_id,
            debit_amount: line.debit_amount,
            credit_amount: line.credit_amount,
            description: line.description,
          })),
          total_debit: exactMinor(debit, 'The total of a draft'),
          total_credit: exactMinor(credit, 'The total of a draft'),
          balanced: debit === credit,
          will_publish_to_qb: publishing !== undefined && row.is_publishable,
        };
      }),
    };
  },
});

import { anything, calendarDate, defineQuery, instant, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { closing } from '../books.ts';
import type { CloseReceipt as StoredReceipt } from '../close/index.ts';
import { isCalendarDate } from '../values/index.ts';

const text = () => nullable(Type.String());

const CloseReceipt = model('CloseReceipt', {
  version: Type.Integer(),
  period: Type.String(),
  closed_at: instant(),
  closed_by: Type.String(),
  actor_type: Type.String(),
  was_reclose: Type.Boolean(),
  entries_posted: Type.Integer(),
  entries_published_to_qb: Type.Integer(),
  entries_posted_locally: Type.Integer(),
  target_auto_advanced: Type.Boolean(),
  rule_summary: nullable(anything()),
  evaluated_structure_ids: Type.Array(Type.String()),
  statements_stamped: Type.Boolean(),
  statement_stamp_note: text(),
  stamped_statement_sets: anything(),
  statement_rule_summary: nullable(anything()),
});

const PeriodCloseItem = model('PeriodCloseItem', {
  structure_id: Type.String(),
  structure_name: Type.String(),
  amount: Type.Number(),
  status: Type.String(),
  entry_id: text(),
  reversal_entry_id: text(),
  reversal_status: text(),
});

export default defineQuery({
  name: 'periodCloseStatus',
  summary: 'The close status of a month: its schedules, and the receipt of the close that locked it.',
  args: model('PeriodCloseStatusArgs', { period_start: calendarDate(), period_end: calendarDate() }),
  returns: nullable(
    model('PeriodCloseStatus', {
      fiscal_period_start: calendarDate(),
      fiscal_period_end: calendarDate(),
      period_status: Type.String(),
      schedules: Type.Array(PeriodCloseItem),
      total_draft: Type.Integer(),
      total_posted: Type.Integer(),
      close_receipt: nullable(CloseReceipt),
    }),
  ),
  mcp: { tool: 'get-period-close-status', hint: 'Use it to see what is missing before a month can be closed.' },
  services: { closing },
  async resolve({ args, ctx, use }) {
    const { period_start: start, period_end: end } = args;
    for (const [field, date] of Object.entries({ periodStart: start, periodEnd: end }))
      if (!isCalendarDate(date)) throw invalidInput(`${field}: '${date}' is not a calendar date (YYYY-MM-DD).`);
    const period = start.slice(0, 7);
    if (end < start || end.slice(0, 7) !== period)
      throw invalidInput('periodEnd: it must lie in the month of periodStart, and not before it.');
    const receipt = await use.closing.closeReader.receipt(ctx.tx, period);
    const items = await use.closing.closeReader.schedules(ctx.tx, { period, start, end });
    return {
      fiscal_period_start: start,
      fiscal_period_end: end,
      period_status: await use.closing.closeReader.statusOf(ctx.tx, period, ctx.now().toISOString().slice(0, 10)),
      schedules: items.map(({ structureId, name, amount, status, entry }) => ({
        structure_id: structureId,
        structure_name: name,
        amount: Number(amount),
        status,
        entry_id: entry?.entry_id ?? null,
        reversal_entry_id: entry?.reversal_entry_id ?? null,
        reversal_status: entry?.reversal_status ?? null,
      })),
      total_draft: items.filter(({ status }) => status === 'drafted').length,
      total_posted: items.filter(({ status }) => status === 'posted').length,
      close_receipt: receipt === undefined ? null : shown(receipt),
    };
  },
});

/** A receipt without the part that is for the verifier only. */
function shown({ private: _private, ...receipt }: StoredReceipt) {
  return { ...receipt, evaluated_structure_ids: [...receipt.evaluated_structure_ids] };
}

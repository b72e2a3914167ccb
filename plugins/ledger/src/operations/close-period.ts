import { defineOperation, mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { closing } from '../books.ts';
import { type CloseOverride, calendarActor, requireCalendar } from '../close/index.ts';
import { FiscalCalendarResponse } from '../models/fiscal-calendar.ts';
import { periodPattern, requireTextWithinLimit } from '../values/index.ts';

const isAllowed = () => Type.Optional(Type.Boolean({ default: false }));
const count = () => Type.Optional(Type.Integer({ default: 0 }));

export default defineOperation({
  name: 'close-period',
  summary: 'Posts the drafts of a month and locks the month. Months are closed in order, each once it is over.',
  role: 'member',
  openapi: { id: 'close_period', tag: 'extensions_robo_ledger' },
  mcp: {
    hint: 'Posts the drafts of a month and locks it, for the month as YYYY-MM; check get-period-close-status first.',
    openWorld: true,
  },
  stale: 'period_closed',
  input: model(
    'ClosePeriodOperation',
    {
      period: Type.String({ pattern: periodPattern }),
      note: Type.Optional(nullable(Type.String())),
      allow_stale_sync: isAllowed(),
      allow_stranded_obligations: isAllowed(),
      allow_reconciling_items: isAllowed(),
    },
    {
      fields: {
        period: 'The month to close, YYYY-MM; months close in order.',
        note: 'Free text kept with the change of the calendar; null for none.',
        allow_stale_sync:
          'Closes although a connected accounting system was last synchronized before the end of the month.',
        allow_stranded_obligations: 'Closes although a matured obligation of a schedule has no entry.',
        allow_reconciling_items:
          'Closes although events that are flagged for reconciliation have entries in or before the month.',
      },
    },
  ),
  output: model('ClosePeriodResponse', {
    fiscal_calendar: FiscalCalendarResponse,
    period: Type.String(),
    entries_posted: count(),
    entries_published_to_qb: count(),
    entries_posted_locally: count(),
    target_auto_advanced: isAllowed(),
    rule_summary: Type.Optional(nullable(mapOf(Type.Integer()))),
    evaluated_structure_ids: Type.Optional(Type.Array(Type.String())),
    statements_stamped: isAllowed(),
    statement_stamp_note: Type.Optional(nullable(Type.String())),
    stamped_statement_sets: Type.Optional(mapOf(Type.String())),
    statement_rule_summary: Type.Optional(nullable(mapOf(Type.Integer()))),
  }),
  services: { closing },
  errors: {
    NOT_FOUND: 'The calendar is not initialized, or does not have the month.',
    CLOSE_BLOCKED: {
      kind: 'invalid_input',
      meaning: 'Gates fail; `details.blockers` names them all, with counts and samples.',
    },
    INVALID_INPUT: 'Entries of the month do not balance, or drafts can no longer be posted; `details` has their ids.',
    BALANCE_BELOW_ZERO: {
      kind: 'invalid_input',
      meaning:
        'An account with `no_negative` would fall below zero; `details` has its id, and those of the drafts that take from it.',
    },
    WRITE_BACK_FAILED: {
      kind: 'invalid_input',
      meaning: 'Drafts have not reached the connected accounting system; `details.failed_events` names them.',
    },
    STATEMENT_STAMP_FAILED: { kind: 'invalid_input', meaning: 'The statements of the month could not be written.' },
    ALREADY_CLOSED: { kind: 'conflict', meaning: 'Another caller closed the month at the same time.' },
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another caller is writing to the month; send the request again.' },
  },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ note: input.note });
    const by = calendarActor(ctx.caller, ctx.now());
    const flags: readonly CloseOverride[] = [
      'allow_stale_sync',
      'allow_stranded_obligations',
      'allow_reconciling_items',
    ];
    const request = {
      graphId: ctx.graph.id,
      period: input.period,
      note: input.note ?? null,
      overrides: new Set(flags.filter((flag) => input[flag] === true)),
    };
    const outcome = await use.closing.periodCloser.close(ctx.tx, request, by);
    const today = by.now.toISOString().slice(0, 10);
    const calendar = requireCalendar(await use.closing.calendarReader.view(ctx.tx, ctx.graph.id, today));
    return {
      fiscal_calendar: calendar,
      period: input.period,
      ...outcome,
      evaluated_structure_ids: [...outcome.evaluated_structure_ids],
    };
  },
});

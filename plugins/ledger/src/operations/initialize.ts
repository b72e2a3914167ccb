import { defineOperation, invalidInput, model, nullable, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { books, closing } from '../books.ts';
import { calendarActor, requireCalendar, requireNoDraftsUpTo } from '../close/index.ts';
import { FiscalCalendarResponse } from '../models/fiscal-calendar.ts';
import { isCurrency, periodPattern, plusMonths, problemOfCalendar, requireTextWithinLimit } from '../values/index.ts';

const period = () => Type.Optional(nullable(Type.String({ pattern: periodPattern })));

export default defineOperation({
  name: 'initialize',
  summary: 'Starts the fiscal calendar of the books, once per graph.',
  role: 'member',
  openapi: { id: 'initialize_ledger', tag: 'extensions_robo_ledger' },
  input: model(
    'InitializeLedgerRequest',
    {
      closed_through: period(),
      fiscal_year_start_month: Type.Optional(Type.Integer({ default: 1, minimum: 1, maximum: 12 })),
      auto_seed_schedules: Type.Optional(Type.Boolean({ default: false })),
      earliest_data_period: period(),
      note: Type.Optional(nullable(Type.String())),
      functional_currency: Type.Optional(nullable(Type.String({ pattern: '^[A-Z]{3}$' }))),
    },
    {
      fields: {
        closed_through: 'The last month that is closed in the books that are taken over, YYYY-MM; null if none is.',
        fiscal_year_start_month: 'The first month of the fiscal year, 1 for January.',
        auto_seed_schedules: 'Makes no schedules yet; true only returns a warning.',
        earliest_data_period: 'The first month of the calendar, YYYY-MM; 23 months before the current one if absent.',
        note: 'Free text kept with the change of the calendar; null for none.',
        functional_currency:
          'The currency in which the books are kept, ISO 4217; null keeps the present one. It cannot change once entries are posted.',
      },
    },
  ),
  output: model('InitializeLedgerResponse', {
    fiscal_calendar: FiscalCalendarResponse,
    periods_created: Type.Optional(Type.Integer({ default: 0 })),
    warnings: Type.Optional(Type.Array(Type.String())),
  }),
  mcp: { held: 'Decides where the books begin, which a person does once.' },
  services: { books, closing },
  errors: {
    ALREADY_EXISTS: 'The calendar is already initialized, which happens only once.',
    INVALID_INPUT:
      'A month is malformed or out of range, drafts lie in months that would be closed, or the currency is unknown or can no longer change.',
  },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ note: input.note });
    const now = ctx.now();
    const today = now.toISOString().slice(0, 10);
    const request = {
      closedThrough: input.closed_through ?? null,
      fiscalYearStartMonth: input.fiscal_year_start_month ?? 1,
      earliestDataPeriod: input.earliest_data_period ?? null,
    };
    const problem = problemOfCalendar(request, today.slice(0, 7));
    if (problem !== undefined) throw invalidInput(problem);
    const currency = input.functional_currency ?? null;
    if (currency !== null && !isCurrency(currency))
      throw invalidInput(`functional_currency: '${currency}' is not an ISO 4217 code in upper case, such as USD.`);
    if (request.closedThrough !== null) await requireNoDraftsUpTo(ctx.tx, request.closedThrough);
    const closeTarget = request.closedThrough === null ? null : plusMonths(request.closedThrough, 1);
    const facts = { closeTarget, currentPeriod: today.slice(0, 7), note: input.note ?? null };
    const by = calendarActor(ctx.caller, now);
    const created = await use.books.calendar.create(ctx.tx, request, facts, by);
    const calendar = requireCalendar(await use.closing.calendarReader.view(ctx.tx, ctx.graph.id, today));
    if (created === undefined) {
      throw new ServiceError(
        'conflict',
        'ALREADY_EXISTS',
        `Fiscal calendar for graph ${ctx.graph.id} is already initialized (initialized_at=${calendar.initialized_at}).`,
      );
    }
    const kept = currency === null ? null : await use.books.entities.setFunctionalCurrency(ctx.tx, currency);
    if (kept !== currency)
      throw invalidInput(
        `functional_currency: the books are kept in ${kept}, in which entries are posted; it cannot be changed to ${currency}.`,
      );
    return {
      fiscal_calendar: calendar,
      periods_created: created,
      warnings:
        input.auto_seed_schedules === true
          ? ['auto_seed_schedules=true is not yet implemented; no schedules were made.']
          : [],
    };
  },
});

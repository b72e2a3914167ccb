import { calendarDate, defineView, model, nullable, ServiceError, type TypeOf } from '@pacioli/core';
import { balances, entities, entryFlows, fiscalYearStart, majorUnits, minorDigits } from '@pacioli/ledger';
import { chartOfAccounts, mappings, statementStructures } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { PeriodSpec } from '../models/PeriodSpec.ts';
import {
  FlowReader,
  isFlowStatement,
  isStatementKind,
  makeFlowStatement,
  makeStatement,
  priorOf,
  type ShownRow,
  type Statement,
  type StatementKind,
  StatementReader,
  statementKinds,
  type Window,
  windowOf,
} from '../statements/index.ts';

const LiveStatementFactRow = model('LiveStatementFactRow', {
  qname: Type.String(),
  name: Type.String(),
  values: Type.Array(nullable(Type.Number())),
  trait: Type.Optional(nullable(Type.String())),
  depth: Type.Optional(Type.Integer({ default: 0 })),
  is_subtotal: Type.Optional(Type.Boolean({ default: false })),
});

const ValidationCheckResponse = model('ValidationCheckResponse', {
  passed: Type.Boolean(),
  status: Type.String(),
  checks: Type.Array(Type.String()),
  failures: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
});

const LiveFinancialStatementRequest = model('LiveFinancialStatementRequest', {
  statement_type: Type.String(),
  period_start: Type.Optional(nullable(calendarDate())),
  period_end: Type.Optional(nullable(calendarDate())),
  period_type: Type.Optional(nullable(Type.String())),
  fiscal_year: Type.Optional(nullable(Type.Integer({ minimum: 1900, maximum: 2999 }))),
  limit: Type.Optional(Type.Integer({ default: 1000, minimum: 1, maximum: 1000 })),
});

/**
 * Values are in major units, on the natural side of each line (reporting F-7); those of the cash flow are effects on
 * cash, and those of the equity statement effects on equity (reporting S-30).
 */
const LiveFinancialStatementResponse = model('LiveFinancialStatementResponse', {
  graph_id: Type.String(),
  statement_type: Type.String(),
  periods: Type.Array(PeriodSpec),
  facts: Type.Array(LiveStatementFactRow),
  fact_count: Type.Integer(),
  validation: Type.Optional(nullable(ValidationCheckResponse)),
  unmapped_count: Type.Optional(Type.Integer({ default: 0 })),
  truncated: Type.Optional(Type.Boolean({ default: false })),
});

const maxRows = 1000;

/** The comparison covers an equally long window before this one, whose year must still have four digits. */
const [firstDay, lastDay] = ['1900-01-01', '2999-12-31'];

export default defineView({
  name: 'live-financial-statement',
  summary:
    'A financial statement from the current books; of the balance sheet and the income statement also the preceding period.',
  role: 'viewer',
  domain: 'ledger',
  openapi: { id: 'live_financial_statement', tag: 'extensions_robo_ledger' },
  input: LiveFinancialStatementRequest,
  output: LiveFinancialStatementResponse,
  services: {
    balances,
    entities,
    entryFlows,
    chart: chartOfAccounts,
    mappings,
    statements: statementStructures,
    fiscalYearStart,
  },
  mcp: {
    hint: 'Balance sheet or income statement for a period, with the preceding period; cash flow (effects on cash) or equity statement for a period.',
  },
  errors: {
    INVALID_INPUT: 'The statement type or the period is not supported.',
    NO_MAPPING: { kind: 'invalid_input', meaning: 'No account is mapped to a reporting concept.' },
  },

  async handle({ input, ctx, use }) {
    const kind = statementKind(input.statement_type);
    const window = requestedWindow(input, ctx.now(), await use.fiscalYearStart.month(ctx.tx));
    const current = { ...window, label: 'Current' };
    const periods = isFlowStatement(kind) ? [current] : [current, { ...priorOf(window), label: 'Prior' }];
    const source = await new StatementReader(use).read(ctx.tx, periods);
    const { layout, currency, unmappedCount } = source;
    const columns = source.columns.map((column, index) => ({ ...column, label: periods[index]?.label ?? '' }));
    const inText = (minor: bigint): string => amountText(minor, currency);
    const statement = async (): Promise<Statement> => {
      if (!isFlowStatement(kind)) return makeStatement(kind, layout, columns, inText);
      const flows = await new FlowReader(use.entryFlows).read(ctx.tx, source, columns);
      return makeFlowStatement(kind, layout, flows, inText);
    };
    const { rows, validation } = await statement();
    const shown = rows.slice(0, input.limit ?? maxRows);
    return {
      graph_id: ctx.graph.id,
      statement_type: kind,
      periods,
      facts: shown.map((row) => factOf(row, currency)),
      fact_count: shown.length,
      validation: {
        ...validation,
        checks: [...validation.checks],
        failures: [...validation.failures],
        warnings: [...validation.warnings],
      },
      unmapped_count: unmappedCount,
      truncated: shown.length < rows.length,
    };
  },
});

function statementKind(type: string): StatementKind {
  if (isStatementKind(type)) return type;
  throw refused(`statement_type must be ${statementKinds.join(' or ')}, not '${type}'.`);
}

function requestedWindow(input: TypeOf<typeof LiveFinancialStatementRequest>, now: Date, startMonth: number): Window {
  const request = {
    start: input.period_start ?? undefined,
    end: input.period_end ?? undefined,
    periodType: input.period_type ?? undefined,
    fiscalYear: input.fiscal_year ?? undefined,
  };
  const window = windowOf(request, now.toISOString().slice(0, 10), startMonth);
  if (window.end < window.start) throw refused(`The period ends (${window.end}) before it starts (${window.start}).`);
  if (window.start < firstDay || window.end > lastDay) {
    throw refused(`The period must lie between ${firstDay} and ${lastDay}; it is ${window.start} to ${window.end}.`);
  }
  return window;
}

function factOf({ line, values, isSubtotal }: ShownRow, currency: string) {
  return {
    qname: line.qname,
    name: line.label,
    values: values.map((value) => (value === null ? null : majorUnits(value, currency))),
    trait: line.trait,
    depth: line.depth,
    is_subtotal: isSubtotal,
  };
}

function amountText(minor: bigint, currency: string): string {
  return `${majorUnits(minor, currency).toFixed(minorDigits(currency))} ${currency}`;
}

function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}

import { defineView, ServiceError } from '@pacioli/core';
import { fiscalYearStart, majorUnits } from '@pacioli/ledger';
import {
  balanceSheetLeaves,
  type ColumnValues,
  incomeStatementLeaves,
  type Line,
  type Placed,
  resolve,
  shownRows,
} from '../domain/statement-lines.ts';
import {
  type CheckedColumn,
  type Validation,
  validateBalanceSheet,
  validateIncomeStatement,
} from '../domain/validation.ts';
import { priorOf, type Window, windowOf } from '../domain/window.ts';
import { LiveFinancialStatementRequest, LiveFinancialStatementResponse } from '../models/live-financial-statement.ts';
import type { StatementSource } from '../statement-reader.ts';
import { statementReader } from '../tokens.ts';

const statementTypes = ['income_statement', 'balance_sheet', 'cash_flow_statement', 'equity_statement'];

export default defineView({
  name: 'live-financial-statement',
  summary: 'A financial statement from the books as they are now, with the period before beside it.',
  need: 'viewer',
  domain: 'ledger',
  openapi: { id: 'live_financial_statement', tag: 'extensions_robo_ledger' },
  input: LiveFinancialStatementRequest,
  output: LiveFinancialStatementResponse,
  needs: { statementReader, fiscalYearStart },
  mcp: {
    tool: 'live_financial_statement',
    hint: 'Balance sheet or income statement for a period, with the period before.',
  },
  errors: {
    INVALID_INPUT: 'The statement or the period is not one that can be shown.',
    NO_MAPPING: 'No account is mapped to a reporting concept.',
  },

  async handle({ input, ctx, use }) {
    requireStatement(input.statement_type);
    const startMonth = await use.fiscalYearStart.month(ctx.tx);
    const window = windowOf(
      {
        start: input.period_start ?? undefined,
        end: input.period_end ?? undefined,
        periodType: input.period_type ?? undefined,
        fiscalYear: input.fiscal_year ?? undefined,
      },
      ctx.now().toISOString().slice(0, 10),
      startMonth,
    );
    if (window.end < window.start)
      throw new ServiceError(
        'refused',
        'INVALID_INPUT',
        `The period ends (${window.end}) before it starts (${window.start}).`,
      );
    const windows = [window, priorOf(window)];
    const source = await use.statementReader.read(ctx.tx, windows);
    const { lines, columns, validation } = statementOf(input.statement_type, source);
    const rows = shownRows(lines, columns);
    const shown = rows.slice(0, input.limit ?? 1000);
    return {
      graph_id: ctx.graph.id,
      statement_type: input.statement_type,
      periods: labelled(windows),
      facts: shown.map(({ line, values, isSubtotal }) => ({
        qname: line.qname,
        name: line.label,
        values: values.map((value) => (value === null ? null : majorUnits(value, source.currency))),
        trait: line.trait,
        depth: line.depth,
        is_subtotal: isSubtotal,
      })),
      fact_count: shown.length,
      validation: {
        ...validation,
        checks: [...validation.checks],
        failures: [...validation.failures],
        warnings: [...validation.warnings],
      },
      unmapped_count: source.unmappedCount,
      truncated: shown.length < rows.length,
    };
  },
});

function requireStatement(type: string): void {
  if (!statementTypes.includes(type)) {
    throw new ServiceError(
      'refused',
      'INVALID_INPUT',
      `statement_type must be one of ${statementTypes.join(', ')}, not '${type}'.`,
    );
  }
  if (type === 'income_statement' || type === 'balance_sheet') return;
  throw new ServiceError(
    'invalid_input',
    'INVALID_INPUT',
    `${type} is not available in this version; ask for income_statement or balance_sheet.`,
  );
}

function labelled(windows: readonly Window[]) {
  return windows.map((window, index) => ({ ...window, label: index === 0 ? 'Current' : 'Prior' }));
}

interface Statement {
  readonly lines: readonly Line[];
  readonly columns: readonly ColumnValues[];
  readonly validation: Validation;
}

function statementOf(type: string, source: StatementSource): Statement {
  const { layout } = source;
  const isBalanceSheet = type === 'balance_sheet';
  const lines = isBalanceSheet ? layout.balanceSheet : layout.incomeStatement;
  const checked = source.columns.map((column, index): CheckedColumn => {
    const placed: Placed = isBalanceSheet ? balanceSheetLeaves(layout, column) : incomeStatementLeaves(layout, column);
    const values = resolve(lines, placed.leaves);
    const flows = new Set(layout.incomeStatement.map((line) => line.qname));
    const netIncome = column.mapped
      .filter(
        (amount) => amount.concept.period === 'duration' && flows.has(layout.leafOf(amount.concept.qname)?.qname ?? ''),
      )
      .reduce((sum, amount) => sum - (amount.movement ?? 0n), 0n);
    const missing = [
      ...placed.unplaced.map((each) => `${each.qname} has ${each.amount} and no line of the statement shows it`),
      ...(isBalanceSheet && column.unmapped.length > 0
        ? [
            `${column.unmapped.length} unmapped account(s) with balance ${column.unmapped.reduce((sum, each) => sum + each.amount, 0n)}`,
          ]
        : []),
    ];
    return { label: index === 0 ? 'Current' : 'Prior', values, netIncome, missing };
  });
  const columns = checked.map((column) => column.values);
  const rows = shownRows(lines, columns);
  return {
    lines,
    columns,
    validation: isBalanceSheet
      ? validateBalanceSheet(lines, rows, checked)
      : validateIncomeStatement(lines, rows, checked),
  };
}

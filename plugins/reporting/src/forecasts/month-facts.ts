import type { NewFact, VerificationResult } from '@pacioli/blocks';
import { invalidInput } from '@pacioli/core';
import { majorText, minorDigits } from '@pacioli/ledger';
import type { StatementStructure } from '@pacioli/taxonomy';
import type { ColumnValues } from '../statements/index.ts';
import type { StoredForecast } from './stored-forecasts.ts';

/** The outcome of the rules of a month. */
export interface Verdict {
  /** Null if no rule ran. */
  readonly isPassed: boolean | null;
  readonly failures: readonly string[];
}

/**
 * One fact for each value, marked with the scenario (F-15); concepts outside the statement have none. A total keeps the amount
 * that is its own besides its parts (S-32).
 */
export function monthFacts(
  structure: StatementStructure,
  { values, own }: { readonly values: ColumnValues; readonly own: ColumnValues },
  of: { readonly start: string; readonly end: string; readonly currency: string; readonly forecast: StoredForecast },
): readonly NewFact[] {
  const { start, end, currency, forecast } = of;
  const scenario = {
    dimensionType: 'scenario',
    axisElementId: null,
    value: forecast.id,
    displayName: forecast.name,
  };
  return structure.rows.flatMap(({ qname, elementId, period, calculation }): NewFact[] => {
    const value = values.get(qname);
    if (value === undefined) return [];
    const direct = calculation.length === 0 ? 0n : (own.get(qname) ?? 0n);
    return [
      {
        elementId,
        periodStart: start,
        periodEnd: end,
        periodType: period,
        value: majorText(value, currency),
        unit: currency,
        decimals: String(minorDigits(currency)),
        members: [scenario],
        ...(direct === 0n ? {} : { provenance: { direct_amount: majorText(direct, currency) } }),
      },
    ];
  });
}

/** Facts are stored with 18 digits before the decimal point (B-0.7). */
const maxMajorDigits = 18;

/** Throws if a fact cannot hold an amount of a statement. It names a line before its totals, which it made too large. */
export function requireStorable(
  { rows }: StatementStructure,
  values: ColumnValues,
  { period, currency }: { readonly period: string; readonly currency: string },
): void {
  const limit = 10n ** BigInt(maxMajorDigits + minorDigits(currency));
  const isTooLarge = ({ qname }: { readonly qname: string }): boolean => {
    const value = values.get(qname) ?? 0n;
    return value >= limit || value <= -limit;
  };
  const found = rows
    .filter(isTooLarge)
    .toSorted((a, b) => Math.sign(a.calculation.length) - Math.sign(b.calculation.length));
  const [first] = found;
  if (first === undefined) return;
  const message = `${first.qname} has more than ${maxMajorDigits} digits in ${period}. Lower the levers, growth or assertions that it follows from, or compute fewer months.`;
  throw invalidInput(message);
}

/** A month fails if a rule of severity error does; it is unverified if no rule ran. */
export function verdict(results: readonly VerificationResult[]): Verdict {
  const ran = results.filter(({ status }) => status !== 'skipped');
  const failed = ran.filter(({ status, severity }) => status !== 'pass' && severity === 'error');
  const failures = failed.map(({ ruleId, message }) => `${ruleId}: ${message ?? 'failed'}`);
  return { isPassed: ran.length === 0 ? null : failed.length === 0, failures };
}

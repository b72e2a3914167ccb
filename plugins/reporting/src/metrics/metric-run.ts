import { evaluateExpression } from '@pacioli/blocks';
import type { ElementPart } from '@pacioli/taxonomy';
import { ExpressionError } from '@pacioli/taxonomy/expressions';
import { type Decimal, storedNumber, unitOf } from './metric-numbers.ts';
import type { MetricFormula, MetricPlan, SkippedMetric } from './metric-plan.ts';
import type { OperandBinder } from './operand-binding.ts';

/** A metric with its value as it is stored. */
export interface ComputedMetric {
  readonly ruleId: string;
  readonly target: ElementPart;
  readonly value: Decimal;
  readonly unit: string;
  /** The start of the window of its operands; undefined without movements and averages. */
  readonly windowStart: string | undefined;
  readonly sourceFactIds: readonly string[];
}

export interface MetricRun {
  readonly computed: readonly ComputedMetric[];
  readonly skipped: readonly SkippedMetric[];
}

/** Evaluates the formulas in the order of the plan; what has no value is skipped with a reason (M-8). */
export function runMetrics(plan: MetricPlan, binder: OperandBinder, currency: string): MetricRun {
  const computed: ComputedMetric[] = [];
  const skipped = [...plan.skipped];
  for (const formula of plan.formulas) {
    const outcome = evaluate(formula, binder, currency);
    if ('reason' in outcome) skipped.push(outcome);
    else computed.push(outcome);
  }
  return { computed, skipped };
}

function evaluate(formula: MetricFormula, binder: OperandBinder, currency: string): ComputedMetric | SkippedMetric {
  const { ruleId, target } = formula;
  const skip = (reason: string, missing: readonly string[] = []): SkippedMetric => {
    return { ruleId, targetQname: target.qname, reason, missing };
  };
  const bound = binder.bind(formula);
  if ('reason' in bound) return skip(bound.reason, bound.missing);
  try {
    const value = evaluateExpression(formula.expression, (operand) => bound.valueOf(operand));
    const stored = storedNumber(value);
    if (stored === undefined) return skip('evaluation error: the value has more than 18 digits');
    const { windowStart, sourceFactIds } = bound;
    binder.add(target.id, { value, windowStart, sourceFactIds });
    return { ruleId, target, value: stored, unit: unitOf(target, currency), windowStart, sourceFactIds };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return skip(`evaluation error: ${error.message}`);
  }
}

import type { FrameworkElement, FrameworkMetric } from '../vocabulary/index.ts';
import { type CatalogRule, catalogHeading, catalogRule, namesIn } from './catalog-rule.ts';
import { metricPrefix } from './framework.ts';

/** The key and name of the structure that lists the shipped metrics (reporting M-2). */
export const metricCatalog = { key: 'key-financial-metrics', name: 'Key Financial Metrics' } as const;

/** The heading above the metrics. */
export const metricHeading = catalogHeading(metricPrefix, 'KeyFinancialMetricsAbstract', metricCatalog.name);

/** Turns a formula over local names into a rule; a name is another metric or a concept of the framework. */
export function metricRule(metric: FrameworkMetric, metrics: readonly FrameworkMetric[]): CatalogRule {
  const own = new Set(metrics.map(({ element }) => element.localName));
  return catalogRule({
    subject: metric.element.localName,
    formula: metric.formula,
    namePattern,
    prefix: metricPrefix,
    own,
  });
}

/** Every name except `avg`, the only function (reporting R-7). */
const namePattern = /\b(?!avg\()[A-Za-z]\w*/g;

/** Finds names that the library lacks, averages of movements, and metrics that are computed from themselves. */
export function metricProblems(
  metrics: readonly FrameworkMetric[],
  elements: ReadonlyMap<string, FrameworkElement>,
): readonly string[] {
  const earlier = new Set<string>();
  return metrics.flatMap((metric) => {
    const { qname } = metric.element;
    const { variables } = metricRule(metric, metrics);
    const operands = variables.filter(
      (variable) => variable.qname !== qname || namesIn(metric.formula, namePattern).includes(variable.name),
    );
    const problems = operands.flatMap((operand) => {
      const element = elements.get(operand.qname);
      if (element === undefined) return [`uses ${operand.qname}, which is not defined`];
      const isAveraged = metric.formula.includes(`avg(${operand.name})`);
      if (isAveraged && element.period !== 'instant') return [`averages ${operand.qname}, which is no balance`];
      // The catalog lists a metric after those that it is computed from, so it has no cycle.
      const isLater = operand.qname.startsWith(`${metricPrefix}:`) && !earlier.has(operand.qname);
      return isLater ? [`uses ${operand.qname}, which does not stand above it`] : [];
    });
    earlier.add(qname);
    return problems.map((problem) => `The metric ${qname} ${problem}.`);
  });
}

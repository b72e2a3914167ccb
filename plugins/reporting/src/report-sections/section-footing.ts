import { decimal } from '@pacioli/blocks';
import type { Cell, SectionColumn } from './section-cells.ts';
import type { CalculationArc, SectionElement } from './section-reader.ts';

/** Half a unit of the last digit; 0 for exact numbers, 0.5 for an unknown precision (V-17). */
export function footingTolerance(decimals: string | null): ReturnType<typeof decimal> {
  if (decimals === 'INF') return decimal('0');
  if (decimals === null || !/^-?\d+$/.test(decimals)) return decimal('0.5');
  return decimal('0.5').times(decimal('10').pow(-Number(decimals)));
}

export interface Difference {
  readonly reported: number;
  readonly computed: number;
  readonly difference: number;
  /** Summands without a number in the period. */
  readonly missing?: readonly string[];
}

/**
 * Each total of the calculation that has a number, its summands, and the periods in which they do not add up to it. A
 * period is checked if the total and at least one summand have a number in it. Sums are exact.
 */
export function footing(
  arcs: readonly CalculationArc[],
  cells: readonly Cell[],
  {
    columns,
    elements,
  }: {
    readonly columns: readonly SectionColumn[];
    readonly elements: ReadonlyMap<string, SectionElement>;
  },
) {
  const totals = new Map<string, CalculationArc[]>();
  for (const arc of arcs) totals.set(arc.from, [...(totals.get(arc.from) ?? []), arc]);
  const numbers = new Map(
    cells.filter(({ memberKey }) => memberKey === '').map((cell) => [`${cell.element} ${cell.period}`, cell.fact]),
  );
  const nameOf = (id: string): string => elements.get(id)?.qname ?? id;
  const found = [...totals].filter(([total]) => columns.some(({ key }) => numbers.has(`${total} ${key}`)));
  return found.map(([total, children]) => {
    const differences: Record<string, Difference> = {};
    let checked = 0;
    for (const { key } of columns) {
      const reported = numbers.get(`${total} ${key}`);
      const summands = children.map((child) => ({ child, fact: numbers.get(`${child.to} ${key}`) }));
      if (reported === undefined || summands.every(({ fact }) => fact === undefined)) continue;
      checked += 1;
      const computed = summands.reduce(
        (sum, { child, fact }) => sum.plus(decimal(fact?.value ?? '0').times(decimal(child.weight ?? 1))),
        decimal('0'),
      );
      const difference = decimal(reported.value ?? '0').minus(computed);
      if (difference.abs().lte(footingTolerance(reported.decimals))) continue;
      const missing = summands.filter(({ fact }) => fact === undefined).map(({ child }) => nameOf(child.to));
      differences[key] = {
        reported: Number(reported.value),
        computed: computed.toNumber(),
        difference: difference.toNumber(),
        ...(missing.length === 0 ? {} : { missing }),
      };
    }
    return {
      total: nameOf(total),
      children: children.map(({ to, weight }) => ({ concept: nameOf(to), weight: weight ?? 1 })),
      foots: Object.keys(differences).length === 0,
      checked,
      ...(Object.keys(differences).length === 0 ? {} : { differences }),
    };
  });
}

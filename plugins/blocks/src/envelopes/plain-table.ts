import { groupBy } from '@pacioli/taxonomy/expressions';
import { factIn } from '../facts/index.ts';
import type {
  BlockConnection,
  BlockElement,
  BlockView,
  ChartPanel,
  Rendering,
  RenderingRow,
  ViewColumn,
  ViewSubject,
} from '../models/block-view.ts';
import type { StoredFact } from '../models/facts.ts';
import { isTextArrangement } from '../texts/index.ts';
import { forecastLabel } from '../values/index.ts';

/**
 * Lists the facts in presentation order, without computing any sums. In a time series of values as of a date, a column
 * shows each fact of its set, whatever window it measures.
 */
export function plainTable(subject: ViewSubject, { isAsOfDate }: { readonly isAsOfDate: boolean }): Rendering {
  const elements = new Map(subject.elements.map((element) => [element.id, element]));
  const facts = groupBy(subject.facts, ({ elementId }) => elementId);
  const totals = new Set(
    subject.connections.flatMap((each) => (each.associationType === 'calculation' ? [each.fromElementId] : [])),
  );
  const isText = isTextArrangement(subject.structure.conceptArrangement);
  const presented = shownLines(subject.connections, elements, facts);
  const lines = isText ? [...presented, ...unpresented(presented, subject.elements, facts)] : presented;
  const rows = lines.map(({ element, depth }) =>
    rowOf(element, {
      depth,
      columns: isText ? [] : subject.columns,
      facts: facts.get(element.id) ?? [],
      isAsOfDate,
      isSubtotal: totals.has(element.id),
    }),
  );
  return {
    rows,
    periods: subject.columns.map(({ start, end, isForecast }) => ({
      start,
      end,
      label: isForecast ? forecastLabel(end) : null,
      forecast: isForecast ? true : null,
    })),
    // Reporting R-25: the viewer of a statement supplies its checks.
    validation: { passed: false, status: 'inconclusive', checks: [], failures: [], warnings: [] },
    unmapped_count: 0,
  };
}

const familyOrder = ['monetary', 'ratio', 'percent', 'multiple', 'days'] as const;
const barsBelowPeriods = 3;

/** One panel for each family of item types (B-25). */
export function chartOf(rendering: Rendering): BlockView['chart'] {
  const lines = rendering.rows.filter(({ values }) => values.some((value) => value !== null));
  const familyOf = (row: RenderingRow): string => familyOrder.find((each) => each === row.item_type) ?? 'untyped';
  const panels = [...familyOrder, 'untyped'].flatMap((family): readonly ChartPanel[] => {
    const members = lines.filter((row) => familyOf(row) === family);
    if (members.length === 0) return [];
    const isBar = family === 'monetary' && rendering.periods.length < barsBelowPeriods;
    return [
      {
        label: family === 'untyped' ? null : family,
        item_type: family === 'untyped' ? null : family,
        kind: isBar ? 'bar' : 'line',
        series: members.map((row) => ({
          key: row.element_id,
          element_id: row.element_id,
          label: row.element_name,
        })),
      },
    ];
  });
  return { panels };
}

interface Line {
  readonly element: BlockElement;
  readonly depth: number;
}

/** Elements with facts and the headings above them; each element is drawn only at its first occurrence. */
function shownLines(
  connections: readonly BlockConnection[],
  elements: ReadonlyMap<string, BlockElement>,
  facts: ReadonlyMap<string, readonly StoredFact[]>,
): readonly Line[] {
  const children = new Map<string, string[]>();
  const below = new Set<string>();
  for (const { associationType, fromElementId, toElementId } of connections) {
    if (associationType !== 'presentation') continue;
    children.set(fromElementId, [...(children.get(fromElementId) ?? []), toElementId]);
    below.add(toElementId);
  }
  const seen = new Set<string>();
  const walk = (id: string, depth: number): readonly Line[] => {
    const element = elements.get(id);
    if (element === undefined || seen.has(id)) return [];
    seen.add(id);
    const lines = (children.get(id) ?? []).flatMap((child) => walk(child, depth + 1));
    return facts.has(id) || (element.isAbstract && lines.length > 0) ? [{ element, depth }, ...lines] : lines;
  };
  return [...children.keys()].filter((id) => !below.has(id)).flatMap((id) => walk(id, 0));
}

/** Texts bound to elements outside the presentation follow those inside it (B-8). */
function unpresented(
  presented: readonly Line[],
  elements: readonly BlockElement[],
  facts: ReadonlyMap<string, readonly StoredFact[]>,
): readonly Line[] {
  const placed = new Set(presented.map(({ element }) => element.id));
  return elements.filter(({ id }) => facts.has(id) && !placed.has(id)).map((element) => ({ element, depth: 0 }));
}

function rowOf(
  element: BlockElement,
  parts: {
    readonly depth: number;
    readonly columns: readonly ViewColumn[];
    readonly facts: readonly StoredFact[];
    readonly isAsOfDate: boolean;
    readonly isSubtotal: boolean;
  },
): RenderingRow {
  const factOf = (column: ViewColumn): StoredFact | undefined =>
    parts.isAsOfDate ? parts.facts.find((fact) => fact.factSetId === column.factSetId) : factIn(parts.facts, column);
  const text = parts.facts.find(({ textValue }) => textValue !== null)?.textValue ?? null;
  return {
    element_id: element.id,
    element_name: element.name,
    element_qname: element.qname,
    classification: element.trait,
    balance_type: element.balanceType,
    item_type: element.itemType,
    // Reporting T-7: texts do not appear in the columns.
    values: text === null ? parts.columns.map((column) => numberOf(factOf(column))) : [],
    text_value: text,
    is_subtotal: parts.isSubtotal,
    depth: parts.depth,
  };
}

function numberOf(fact: StoredFact | undefined): number | null {
  return fact?.value == null ? null : Number(fact.value);
}

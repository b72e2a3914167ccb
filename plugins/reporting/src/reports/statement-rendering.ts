import {
  type BlockConnection,
  type BlockElement,
  factIn,
  forecastLabel,
  type Rendering,
  type RenderingRow,
  type StoredFact,
  type ViewColumn,
  type ViewSubject,
} from '@pacioli/blocks';
import { plusDays } from '@pacioli/core/calendar';
import { groupBy } from '@pacioli/taxonomy/expressions';
import { netChangeInCash } from '../cash-flow/index.ts';
import type { StatementRowHead } from '../statement-facts/index.ts';

/** A block with a statement, and the facts that its rows show. */
export type RenderedStatement = Pick<ViewSubject, 'structure' | 'elements' | 'connections' | 'columns' | 'facts'>;

/** An element that a statement shows although its network lacks it. */
export type BalanceElement = Pick<BlockElement, 'id' | 'name' | 'qname' | 'trait' | 'balanceType' | 'itemType'>;

/** A line of the schedule below a direct cash flow (S-17). */
export interface ScheduleLine {
  readonly head: Pick<StatementRowHead, 'sign' | 'depth' | 'is_subtotal'>;
  readonly element: BalanceElement;
}

interface Parts extends RenderedStatement {
  readonly factsByElement: ReadonlyMap<string, readonly StoredFact[]>;
  readonly elementsById: ReadonlyMap<string, BlockElement>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** The displayed value of a row = fact × sign. */
  readonly signs: ReadonlyMap<string, number>;
  readonly totals: ReadonlySet<string>;
  readonly isRollForward: boolean;
  readonly balance: BalanceElement | undefined;
}

/**
 * The rows of a statement in its envelope: headings before their lines, totals after their parts, zero lines left out
 * (S-27, S-28). A cash flow shows effects on cash, a roll-forward of equity effects on equity (S-30).
 */
export function statementRows(statement: RenderedStatement, balance?: BalanceElement): RenderingRow[] {
  const parts = partsOf(statement, balance);
  const below = new Set([...parts.children.values()].flat());
  const seen = new Set<string>();
  const roots = [...parts.children.keys()].filter((id) => !below.has(id));
  return roots.flatMap((id) => rowsBelow(parts, id, 0, seen));
}

/** The lines of the schedule, in effects on cash (S-30). */
export function scheduleRows(statement: RenderedStatement, lines: readonly ScheduleLine[]): RenderingRow[] {
  const columns = statementColumns(statement);
  const facts = groupBy(statement.facts, ({ elementId }) => elementId);
  return lines.map(({ head, element }) => ({
    ...rowOf(element, head.depth, head.is_subtotal),
    values: columns.map((column) => numberOf(factIn(facts.get(element.id) ?? [], column), head.sign ?? 1)),
  }));
}

/** The columns of a statement; the day of an opening balance is none. */
export function statementColumns({ columns, facts }: RenderedStatement): readonly ViewColumn[] {
  const starts = new Set(facts.map((fact) => `${fact.factSetId} ${fact.periodStart} ${fact.periodEnd}`));
  const isPeriod = ({ start, end, factSetId }: ViewColumn): boolean => starts.has(`${factSetId} ${start} ${end}`);
  const setsWithPeriods = new Set(columns.filter(isPeriod).map(({ factSetId }) => factSetId));
  return columns.filter((column) => isPeriod(column) || !setsWithPeriods.has(column.factSetId));
}

export function periodsOf(columns: readonly ViewColumn[]): Rendering['periods'] {
  return columns.map(({ start, end, isForecast }) => ({
    start,
    end,
    label: isForecast ? forecastLabel(end) : null,
    forecast: isForecast ? true : null,
  }));
}

function partsOf(statement: RenderedStatement, balance: BalanceElement | undefined): Parts {
  const elementsById = new Map(statement.elements.map((element) => [element.id, element]));
  const children = new Map<string, string[]>();
  for (const { associationType, fromElementId, toElementId } of statement.connections) {
    if (associationType !== 'presentation') continue;
    children.set(fromElementId, [...(children.get(fromElementId) ?? []), toElementId]);
  }
  const sums = statement.connections.filter(({ associationType }) => associationType === 'calculation');
  return {
    ...statement,
    columns: statementColumns(statement),
    factsByElement: groupBy(statement.facts, ({ elementId }) => elementId),
    elementsById,
    children,
    signs: signsOf(statement, sums, elementsById),
    totals: new Set(sums.map(({ fromElementId }) => fromElementId)),
    isRollForward: statement.structure.conceptArrangement === 'roll_forward',
    balance,
  };
}

/** Weights up to the net change in cash, or of the changes in equity; nothing where rows show what is stored. */
function signsOf(
  { structure }: RenderedStatement,
  sums: readonly BlockConnection[],
  elements: ReadonlyMap<string, BlockElement>,
): ReadonlyMap<string, number> {
  const weightOf = ({ weight }: BlockConnection): number => Math.sign(weight ?? 1);
  if (structure.blockType === 'equity_statement') {
    return new Map(sums.map((arc) => [arc.toElementId, weightOf(arc)]));
  }
  if (structure.blockType !== 'cash_flow_statement') return new Map();
  const root = [...elements.values()].find(({ qname }) => qname === netChangeInCash);
  const signs = new Map<string, number>(root === undefined ? [] : [[root.id, 1]]);
  // A map keeps its order and is extended while it is read.
  for (const [id, sign] of signs) {
    for (const arc of sums) if (arc.fromElementId === id) signs.set(arc.toElementId, sign * weightOf(arc));
  }
  return signs;
}

function rowsBelow(parts: Parts, id: string, depth: number, seen: Set<string>): RenderingRow[] {
  const element = parts.elementsById.get(id);
  if (element === undefined || seen.has(id)) return [];
  seen.add(id);
  const children = parts.children.get(id) ?? [];
  const rows = children.flatMap((child) => rowsBelow(parts, child, depth + 1, seen));
  if (element.isAbstract) {
    const values = parts.columns.map(() => null);
    return rows.length === 0 ? [] : [{ ...rowOf(element, depth, false), values }, ...rows];
  }
  if (parts.isRollForward && children.length > 0) return [...balanceRows(parts, element, depth, rows)];
  const values = valuesOf(parts, id);
  const isTotal = parts.totals.has(id) || children.length > 0;
  const hasParts = depth <= 1 && parts.connections.some((arc) => isPartWithAmount(parts, id, arc));
  if (!hasAmount(values) && !hasParts) return rows;
  return [...rows, { ...rowOf(element, depth, isTotal), values }];
}

/** A roll-forward starts with the balance before the column and ends with that at its end. */
function balanceRows(parts: Parts, own: BlockElement, depth: number, changes: RenderingRow[]): RenderingRow[] {
  const element = parts.balance ?? own;
  const facts = factsOf(parts, element.id);
  const opening = parts.columns.map(({ start }) => numberOf(balanceOn(facts, plusDays(start, -1)), 1));
  const closing = parts.columns.map((column) => numberOf(factIn(facts, column), 1));
  if (!hasAmount([...opening, ...closing]) && changes.length === 0) return [];
  const row = (words: string, values: (number | null)[], isTotal: boolean): RenderingRow => ({
    ...rowOf(element, depth, isTotal),
    element_name: `${element.name}, ${words}`,
    values,
  });
  return [row('beginning of period', opening, false), ...changes, row('end of period', closing, true)];
}

function isPartWithAmount(parts: Parts, id: string, arc: BlockConnection): boolean {
  if (arc.associationType !== 'calculation' || arc.fromElementId !== id) return false;
  return hasAmount(valuesOf(parts, arc.toElementId));
}

function valuesOf(parts: Parts, id: string): (number | null)[] {
  const facts = factsOf(parts, id);
  return parts.columns.map((column) => numberOf(factIn(facts, column), parts.signs.get(id) ?? 1));
}

function factsOf({ factsByElement }: Parts, id: string): readonly StoredFact[] {
  return factsByElement.get(id) ?? [];
}

function balanceOn(facts: readonly StoredFact[], date: string): StoredFact | undefined {
  return facts.find(({ periodType, periodEnd }) => periodType === 'instant' && periodEnd === date);
}

function hasAmount(values: readonly (number | null)[]): boolean {
  return values.some((value) => value !== null && value !== 0);
}

function rowOf(element: BalanceElement, depth: number, isSubtotal: boolean): RenderingRow {
  return {
    element_id: element.id,
    element_name: element.name,
    element_qname: element.qname,
    classification: element.trait,
    balance_type: element.balanceType,
    item_type: element.itemType,
    values: [],
    text_value: null,
    is_subtotal: isSubtotal,
    depth,
  };
}

/** The exact decimal is parsed once, at the wire (B-0.7). Zero has no sign. */
function numberOf(fact: StoredFact | undefined, sign: number): number | null {
  return fact?.value == null ? null : Number(fact.value) * sign || 0;
}

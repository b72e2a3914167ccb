import type { NewFact } from '@pacioli/blocks';
import { plusDays } from '@pacioli/core/calendar';
import { majorText } from '@pacioli/ledger';
import type { ConnectionPart, ElementPart, StructurePart } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import { amountIn, type ComposedStatement, type LabeledWindow, type StatementRowHead } from './compose-statements.ts';
import { isSum, noteValues, ownAmounts, weightedSum } from './note-values.ts';
import { labelInRole, type PreferredLabel, preferredLabelOf } from './preferred-labels.ts';
import type { Composition } from './statement-composer.ts';

/** A disclosure structure with its arcs, in the order of the arcs. */
export interface NoteNetwork {
  readonly structure: Pick<StructurePart, 'id' | 'name' | 'blockType' | 'conceptArrangement'>;
  readonly connections: readonly ConnectionPart[];
}

/** The notes of a report, and the amounts that neither a statement nor a note has. */
export interface NoteSet {
  readonly notes: readonly ComposedStatement[];
  /** The number of values of accounts that no network has, over all columns (S-22). */
  readonly droppedCount: number;
}

/**
 * The notes that have a value: each structure with a presented element that received a fact, with all facts of its
 * elements; pure (S-21, S-22). Structures come in display order.
 */
export function composeNotes(
  composition: Pick<Composition, 'columns' | 'currency' | 'statements' | 'values'>,
  windows: readonly LabeledWindow[],
  networks: readonly NoteNetwork[],
  elements: ReadonlyMap<string, ElementPart>,
): NoteSet {
  const idByQname = new Map([...elements.values()].flatMap(({ id, qname }) => (qname === null ? [] : [[qname, id]])));
  const summing = networks.filter(({ structure }) => structure.conceptArrangement !== 'roll_forward');
  const owned = composition.columns.map((column) => ownAmounts(column, (qname) => idByQname.get(qname)));
  const values = owned.map((own, index) => noteValues(composition.values[index] ?? new Map(), own, summing));
  const parts = { windows, values, elements, currency: composition.currency };
  const notes = networks.flatMap((network) => {
    const isFilled = network.connections.some(
      ({ associationType, toElementId }) =>
        associationType === 'presentation' && values.some((column) => column.has(toElementId)),
    );
    return isFilled ? [noteOf(network, parts)] : [];
  });
  const placed = new Set([
    ...composition.values.flatMap((column) => [...column.keys()]),
    ...networks.flatMap(({ connections }) => connections.flatMap((arc) => [arc.fromElementId, arc.toElementId])),
  ]);
  const droppedCount = owned.reduce((sum, own) => sum + [...own.keys()].filter((id) => !placed.has(id)).length, 0);
  return { notes, droppedCount };
}

interface NoteParts {
  readonly windows: readonly LabeledWindow[];
  readonly values: readonly ReadonlyMap<string, bigint>[];
  readonly elements: ReadonlyMap<string, ElementPart>;
  readonly currency: string;
}

function noteOf({ structure, connections }: NoteNetwork, parts: NoteParts): ComposedStatement {
  const { windows, values, elements, currency } = parts;
  const sums =
    structure.conceptArrangement === 'roll_forward'
      ? new Map<string, readonly ConnectionPart[]>()
      : groupBy(connections.filter(isSum), ({ fromElementId }) => fromElementId);
  const ids = [...new Set(connections.flatMap((arc) => [arc.fromElementId, arc.toElementId]))];
  const amount = amountIn(currency);
  const facts = windows.flatMap(({ start, end }, column) =>
    ids.flatMap((id): NewFact[] => {
      const [value, element] = [values[column]?.get(id), elements.get(id)];
      if (value === undefined || element === undefined) return [];
      const direct = directAmount(id, sums, values[column]) ?? 0n;
      const provenance = direct === 0n ? {} : { provenance: { direct_amount: majorText(direct, currency) } };
      const periodType = element.periodType === 'instant' ? 'instant' : 'duration';
      return [{ elementId: id, periodStart: start, periodEnd: end, periodType, ...amount(value), ...provenance }];
    }),
  );
  const hasAmount = (id: string): boolean => values.some((column) => (column.get(id) ?? 0n) !== 0n);
  const before = openingColumns(windows).flatMap((column) => values[column] ?? []);
  const hasOpening = (id: string): boolean => before.some((column) => (column.get(id) ?? 0n) !== 0n);
  const isEmpty = (column: number): boolean => ids.every((id) => (values[column]?.get(id) ?? 0n) === 0n);
  const warnings = [
    ...windows.flatMap(({ label }, column) =>
      column > 0 && isEmpty(column) ? [`comparative_data: ${label} has no value`] : [],
    ),
    ...directTotals(sums, parts),
  ];
  return {
    structure: { structureId: structure.id, name: structure.name, blockType: structure.blockType },
    rows: rowsOf({ connections, elements, sums, hasAmount, hasOpening }),
    // No check exists for notes.
    validation: { passed: false, status: 'inconclusive', checks: [], failures: [], warnings },
    facts,
  };
}

type Sums = ReadonlyMap<string, readonly ConnectionPart[]>;

/** The amount of a total besides the parts that the note shows (S-32); undefined without a total or a part. */
function directAmount(id: string, sums: Sums, values: ReadonlyMap<string, bigint> | undefined): bigint | undefined {
  const parts = weightedSum(sums.get(id) ?? [], (part) => values?.get(part));
  const value = values?.get(id);
  return parts === undefined || value === undefined ? undefined : value - parts;
}

/** A warning for each total that differs from its parts, so that no format states the sum (S-32, X-29). */
function directTotals(sums: Sums, { windows, values, elements }: NoteParts): readonly string[] {
  return windows.flatMap(({ label }, column) =>
    [...sums.keys()]
      .filter((id) => (directAmount(id, sums, values[column]) ?? 0n) !== 0n)
      .map((id) => `direct_total: ${elements.get(id)?.name ?? id} has amounts besides its parts`)
      .map((text) => (windows.length > 1 ? `[${label}] ${text}` : text)),
  );
}

/** The columns that end on the day before another one starts: their balances are its opening balances. */
function openingColumns(windows: readonly LabeledWindow[]): readonly number[] {
  const days = new Set(windows.map(({ start }) => plusDays(start, -1)));
  return windows.flatMap(({ end }, column) => (days.has(end) ? [column] : []));
}

interface RowParts {
  readonly connections: readonly ConnectionPart[];
  readonly elements: ReadonlyMap<string, ElementPart>;
  readonly sums: Sums;
  hasAmount(elementId: string): boolean;
  hasOpening(elementId: string): boolean;
}

/**
 * The lines with an amount in print order, parts before their total; an element once, or once for each preferred label
 * that its arcs have (S-24, S-27, S-28).
 */
function rowsOf({ connections, elements, sums, hasAmount, hasOpening }: RowParts): readonly StatementRowHead[] {
  const presented = connections.filter(({ associationType }) => associationType === 'presentation');
  const children = groupBy(presented, ({ fromElementId }) => fromElementId);
  const below = new Set(presented.map(({ toElementId }) => toElementId));
  const seen = new Set<string>();
  const walk = (id: string, role: PreferredLabel | null, depth: number): readonly StatementRowHead[] => {
    const element = elements.get(id);
    const place = `${id} ${role ?? ''}`;
    if (element === undefined || seen.has(place)) return [];
    seen.add(place);
    const isOpening = role === 'periodStart';
    const arcs = isOpening ? [] : (children.get(id) ?? []);
    const rows = arcs.flatMap((arc) => walk(arc.toElementId, preferredLabelOf(arc.preferredLabel), depth + 1));
    const hasParts = depth <= 1 && (sums.get(id) ?? []).some((arc) => hasAmount(arc.toElementId));
    const isShown = isOpening ? hasOpening(id) : hasAmount(id) || hasParts;
    if (element.isAbstract || !isShown) return rows;
    const { qname, name, trait } = element;
    const isTotal = !isOpening && (sums.has(id) || children.has(id));
    const head = { element_id: id, qname: qname ?? id, name: labelInRole(name, role), trait, depth };
    return [...rows, { ...head, is_subtotal: isTotal, ...(isOpening ? { is_opening: true } : {}) }];
  };
  return [...children.keys()].filter((id) => !below.has(id)).flatMap((id) => walk(id, null, 0));
}

import type { ConnectionPart } from '@pacioli/taxonomy';
import { groupBy } from '@pacioli/taxonomy/expressions';
import { supplementalAmounts } from '../cash-flow/index.ts';
import type { FlowColumn } from '../statements/index.ts';

/** A network whose totals are sums of their parts. */
export interface SumNetwork {
  readonly connections: readonly ConnectionPart[];
}

/**
 * The values of a column by element, for statements and notes alike (reporting F-7): those of the statements, then the
 * amounts of accounts mapped to details, then totals of notes. A total that several networks break down has the value
 * of the first one that has a part with a value (S-18, S-19).
 */
export function noteValues(
  stated: ReadonlyMap<string, bigint>,
  own: ReadonlyMap<string, bigint>,
  networks: readonly SumNetwork[],
): ReadonlyMap<string, bigint> {
  const arrangements = new Map<string, (readonly ConnectionPart[])[]>();
  for (const { connections } of networks) {
    for (const [total, arcs] of groupBy(connections.filter(isSum), ({ fromElementId }) => fromElementId)) {
      arrangements.set(total, [...(arrangements.get(total) ?? []), arcs]);
    }
  }
  const values = new Map(stated);
  const underWay = new Set<string>();
  const resolve = (id: string): bigint | undefined => {
    const known = values.get(id);
    if (known !== undefined || underWay.has(id)) return known;
    underWay.add(id);
    const sums = (arrangements.get(id) ?? []).map((arcs) => weightedSum(arcs, resolve));
    underWay.delete(id);
    const parts = sums.find((sum) => sum !== undefined);
    const direct = own.get(id);
    if (parts === undefined && direct === undefined) return undefined;
    const value = (parts ?? 0n) + (direct ?? 0n);
    values.set(id, value);
    return value;
  };
  for (const id of [...own.keys(), ...arrangements.keys()]) resolve(id);
  return values;
}

/** The sum of the parts that have a value; undefined without any. */
export function weightedSum(
  arcs: readonly ConnectionPart[],
  amountOf: (elementId: string) => bigint | undefined,
): bigint | undefined {
  const parts = arcs.flatMap(({ toElementId, weight }) => {
    const value = amountOf(toElementId);
    return value === undefined ? [] : [value * BigInt(Math.sign(weight ?? 1))];
  });
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0n);
}

export function isSum({ associationType }: ConnectionPart): boolean {
  return associationType === 'calculation';
}

/**
 * The amounts of a column that no statement shows as such: those of accounts by their own concept, in its natural sign
 * (F-7), and non-cash investing and financing (S-16a).
 */
export function ownAmounts(
  column: FlowColumn,
  elementIdOf: (qname: string) => string | undefined,
): ReadonlyMap<string, bigint> {
  const own = new Map<string, bigint>();
  const add = (id: string | undefined, amount: bigint): void => {
    if (id !== undefined) own.set(id, (own.get(id) ?? 0n) + amount);
  };
  for (const { concept, cumulative, movement } of column.mapped) {
    const amount = concept.period === 'instant' ? cumulative : movement;
    if (amount !== null) add(concept.elementId, concept.balance === 'credit' ? -amount : amount);
  }
  for (const [qname, amount] of supplementalAmounts(column.cashFlow.noncash)) add(elementIdOf(qname), amount);
  return own;
}

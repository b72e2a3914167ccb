/**
 * The allocation of one entry to the lines of the cash flow. Amounts are effects on cash in minor units: an increase of
 * a debt is positive, an increase of an asset negative. Every step moves amounts between lines or families and changes
 * no sum. The numbers of the steps are those of reporting S-14.
 */
import type { NoncashItem } from '@pacioli/taxonomy';
import type { Family, FlowLeaf, FlowNetwork, Home } from './network.ts';

/** The lines of an entry on one account with one tag. */
export interface FlowLine {
  readonly home: Home;
  /** The line of the cash flow that the entry names; undefined without one. */
  readonly tag: FlowLeaf | undefined;
  /** Credits minus debits. */
  readonly flow: bigint;
}

/** An amount of an investing or financing family that moved no cash (reporting S-16a). */
export interface Noncash {
  readonly leaf: FlowLeaf;
  /** The family set off against it; undefined where operating lines of the entry carry the other side. */
  readonly against: FlowLeaf | undefined;
  /** Positive. */
  readonly amount: bigint;
}

export interface EntryAllocation {
  /**
   * By leaf: the whole amount of investing and financing families and of adjustments; for operating families and
   * accounts without a concept the correction of their change in balance.
   */
  readonly effects: ReadonlyMap<string, bigint>;
  /** The amount that remains on each operating family after all steps; tagged lines are on their leaf instead. */
  readonly operating: ReadonlyMap<Family, bigint>;
  readonly noncash: readonly Noncash[];
  /** The part of tagged cash that no line of the entry explains; positive. */
  readonly unexplained: bigint;
  /** By non-cash item, what families took from their own opposite amount; positive. */
  readonly absorbed: ReadonlyMap<NoncashItem, bigint>;
}

interface Work {
  /** The amount that the steps so far have left on each family; tagged lines are on their leaf instead. */
  readonly left: Map<Family, bigint>;
  readonly effects: Map<string, bigint>;
  readonly noncash: Noncash[];
  readonly absorbed: Map<NoncashItem, bigint>;
}

/** True for families whose amount is the change of their balance (reporting S-13). */
export function isByBalance({ section }: Family): boolean {
  return section !== 'investing' && section !== 'financing';
}

/** The leaf of an amount of the family, by its sign. */
export function leafFor(family: Family, amount: bigint): FlowLeaf {
  return amount < 0n ? family.outflow : family.inflow;
}

/** Allocates an entry, or with `isMonth` the sum of a whole month, in which nothing is set off (reporting Q-17). */
export function allocateEntry(
  network: FlowNetwork,
  lines: readonly FlowLine[],
  { isMonth = false }: { readonly isMonth?: boolean } = {},
): EntryAllocation {
  const work: Work = { left: new Map(), effects: new Map(), noncash: [], absorbed: new Map() };
  placeLines(network, work, lines);
  absorbNoncashItems(network, work, lines, { isMonth });
  if (!isMonth) setOff(work);
  if (!lines.some(({ home }) => home.kind === 'cash')) withoutCash(network, work);
  const unexplained = attributeTaggedCash(network, work, lines);
  // Step 4 comes last, because step 5 still takes amounts from families.
  for (const [family, amount] of work.left) add(work.effects, leafFor(family, amount).qname, amount);
  const operating = new Map([...work.left].filter(([family]) => isByBalance(family)));
  return { effects: work.effects, operating, noncash: work.noncash, absorbed: work.absorbed, unexplained };
}

/** Before step 1: tagged lines go to their leaf; the balance that contains them is corrected (S-12b, step 2). */
function placeLines(network: FlowNetwork, { left, effects }: Work, lines: readonly FlowLine[]): void {
  for (const { home, tag, flow } of lines) {
    if (home.kind === 'cash' || home.kind === 'income' || flow === 0n) continue;
    if (tag !== undefined) add(effects, tag.qname, flow);
    if (home.kind === 'unmapped') {
      if (tag !== undefined) add(effects, network.reconciling.qname, -flow);
      continue;
    }
    const { family } = home;
    // The change in balance contains these lines already, so the remainder is counted as a correction of it.
    if (isByBalance(family)) add(effects, family.inflow.qname, -flow);
    if (tag === undefined) add(left, family, flow);
  }
}

/** Step 1: a non-cash item goes to its adjustment, and the families that contain its other side give it up. */
function absorbNoncashItems(
  network: FlowNetwork,
  work: Work,
  lines: readonly FlowLine[],
  { isMonth }: { readonly isMonth: boolean },
): void {
  const net = new Map<NoncashItem, bigint>();
  for (const { home, flow } of lines) {
    if (home.kind === 'income' && home.item !== undefined) add(net, home.item, flow);
  }
  // Lines of zero count: they name the family that gives up an item although its balance stays.
  const withLines = new Set(
    lines.flatMap(({ home, tag }) => (home.kind === 'family' && tag === undefined ? [home.family] : [])),
  );
  for (const item of network.noncashItems) {
    const amount = net.get(item) ?? 0n;
    if (amount === 0n) continue;
    add(work.effects, item.cashFlowConcept, -amount);
    absorb(work, [...new Set(network.absorbersOf(item))], { item, amount, withLines, isMonth });
  }
}

interface Absorption {
  readonly item: NoncashItem;
  readonly amount: bigint;
  readonly withLines: ReadonlySet<Family>;
  readonly isMonth: boolean;
}

function absorb({ left, absorbed }: Work, named: readonly Family[], of: Absorption): void {
  const { item, amount, withLines, isMonth } = of;
  const present = named.filter((family) => withLines.has(family));
  let rest = amount;
  for (const family of present) {
    const taken = opposite(left.get(family) ?? 0n, rest);
    if (taken !== 0n) add(left, family, taken);
    add(absorbed, item, magnitude(taken));
    rest -= taken;
  }
  // In an entry the largest opposite amount is the other side; in a month it may be any other change.
  const other = isMonth ? undefined : largestOpposite(left, rest);
  const [first] = present.length > 0 ? present : [other ?? named[0]];
  if (rest !== 0n && first !== undefined) add(left, first, rest);
}

/** The family with the largest amount of the other sign; of equals, the first of the table. */
function largestOpposite(left: ReadonlyMap<Family, bigint>, amount: bigint): Family | undefined {
  const [largest] = inOrder(left)
    .filter(([, own]) => own !== 0n && own > 0n !== amount > 0n)
    .toSorted(([, a], [, b]) => Number(magnitude(b) > magnitude(a)) - Number(magnitude(a) > magnitude(b)));
  return largest?.[0];
}

/** Step 2: investing and financing amounts of opposite sign in one entry moved no cash. */
function setOff({ left, noncash }: Work): void {
  const both = inOrder(left).filter(([family]) => !isByBalance(family));
  for (const [outflow] of both.filter(([, amount]) => amount < 0n)) {
    for (const [inflow] of both.filter(([, amount]) => amount > 0n)) {
      const amount = opposite(left.get(inflow) ?? 0n, left.get(outflow) ?? 0n);
      if (amount === 0n) continue;
      add(left, inflow, amount);
      add(left, outflow, -amount);
      noncash.push({ leaf: outflow.outflow, against: inflow.inflow, amount: -amount });
    }
  }
}

/** Step 3: without a cash line no financing amount is a cash flow, and an inflow only as far as it is sold on account. */
function withoutCash(network: FlowNetwork, { left, effects, noncash }: Work): void {
  const families = inOrder(left);
  const operating = families.map(([family]) => family).filter((family) => family.section === 'operating');
  for (const [family] of families.filter(([each]) => each.section === 'financing')) {
    const amount = left.get(family) ?? 0n;
    if (amount === 0n) continue;
    let rest = amount;
    for (const each of operating) {
      const taken = opposite(left.get(each) ?? 0n, rest);
      add(left, each, taken);
      rest -= taken;
    }
    left.set(family, 0n);
    add(effects, network.otherNoncash.qname, rest);
    noncash.push({ leaf: leafFor(family, amount), against: undefined, amount: magnitude(amount) });
  }
  let carried = operating.reduce((sum, family) => sum - smaller(left.get(family) ?? 0n, 0n), 0n);
  for (const [family] of families.filter(([each]) => each.section === 'investing')) {
    const amount = left.get(family) ?? 0n;
    if (amount <= 0n) continue;
    const stays = smaller(amount, carried);
    carried -= stays;
    if (stays === amount) continue;
    left.set(family, stays);
    add(effects, network.otherNoncash.qname, amount - stays);
    noncash.push({ leaf: family.inflow, against: undefined, amount: amount - stays });
  }
}

/** Step 5: a tagged cash line belongs to its leaf; what is missing there moves from other families of the entry. */
function attributeTaggedCash(network: FlowNetwork, work: Work, lines: readonly FlowLine[]): bigint {
  const tagged = new Map<FlowLeaf, bigint>();
  for (const { home, tag, flow } of lines) if (home.kind === 'cash' && tag !== undefined) add(tagged, tag, -flow);
  const placed = tagged.size === 0 ? new Map<string, bigint>() : placedBefore(work, lines);
  let unexplained = 0n;
  for (const [leaf, amount] of [...tagged].toSorted(([a], [b]) => a.position - b.position)) {
    const there = inOrder(work.left)
      .filter(([family, own]) => leafFor(family, own) === leaf)
      .reduce((sum, [, own]) => sum + own, placed.get(leaf.qname) ?? 0n);
    let missing = amount - there;
    if (missing === 0n || missing > 0n !== amount > 0n) continue;
    const sources = inOrder(work.left).filter(([family, own]) => leafFor(family, own) !== leaf);
    const inSteps = [
      ...sources.filter(([family]) => !isByBalance(family)),
      ...sources.filter(([family]) => isByBalance(family)),
    ];
    for (const [family, own] of inSteps) {
      const moved = -opposite(own, -missing);
      add(work.left, family, -moved);
      add(work.effects, leaf.qname, moved);
      missing -= moved;
    }
    add(work.effects, leaf.qname, missing);
    add(work.effects, network.reconciling.qname, -missing);
    unexplained += magnitude(missing);
  }
  return unexplained;
}

/** Sums what tagged lines and adjustments have put on each leaf; the corrections of balances are taken out again. */
function placedBefore({ effects }: Work, lines: readonly FlowLine[]): Map<string, bigint> {
  const placed = new Map(effects);
  for (const { home, flow } of lines) {
    if (home.kind === 'family' && isByBalance(home.family)) add(placed, home.family.inflow.qname, flow);
  }
  return placed;
}

function inOrder(left: ReadonlyMap<Family, bigint>): readonly (readonly [Family, bigint])[] {
  return [...left].toSorted(([a], [b]) => a.position - b.position);
}

/** The part of `amount` that offsets `own`: zero unless the two have opposite signs, at most as large as `own`. */
function opposite(own: bigint, amount: bigint): bigint {
  if (own === 0n || amount === 0n || own > 0n === amount > 0n) return 0n;
  return magnitude(own) < magnitude(amount) ? -own : amount;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function add<Key>(sums: Map<Key, bigint>, key: Key, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

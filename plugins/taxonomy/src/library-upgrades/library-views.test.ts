/** @module-tag sessions */
// Goal: a graph looks at the library by its pin, hides only what nobody needs, and moves to another edition safely.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conceptId, library, openTaxonomyStore, smallChart, type TaxonomyStore } from '../../test/taxonomy-store.ts';
import { createChart } from '../charts/create-chart.ts';
import type { LibraryRows } from '../library/library.ts';
import { libraryChanges } from '../library/library-changes.ts';
import { readPin } from '../library/library-pin.ts';

const graphId = 'kg_pinned';
let opened: TaxonomyStore;
beforeAll(async () => {
  opened = await openTaxonomyStore();
  await opened.inGraph(graphId, (tx) => createChart(tx, smallChart, { ids: opened.ids, library }));
});
afterAll(() => opened.close());

const viewed = () => opened.inGraph(graphId, (tx) => opened.views.view(tx));
const standard = { framework: 'rs-gaap@v1', overrides: {} };

describe('a pin', () => {
  it.each<[string, unknown, object]>([
    ['nothing', null, standard],
    ['a framework', { framework: 'rs-gaap@v1' }, standard],
    ['overrides', { framework: 'rs-gaap@v1', overrides: { fac: 'v1' } }, { ...standard, overrides: { fac: 'v1' } }],
    [
      'versions by standard',
      { 'rs-gaap': 'v1', fac: 'v1' },
      { ...standard, overrides: { 'rs-gaap': 'v1', fac: 'v1' } },
    ],
  ])('is read from %s (taxonomy LB-9)', (_what, value, pin) => {
    expect(readPin(value, library.rows.taxonomies)).toEqual(pin);
  });

  it.each<[string, unknown, string]>([
    ['another version', { framework: 'rs-gaap@v9' }, 'rs-gaap@v9 is not shipped'],
    ['another framework', { framework: 'ifrs@v1' }, 'ifrs@v1 is not shipped'],
    ['an override that is not there', { framework: 'rs-gaap@v1', overrides: { fac: 'v2' } }, 'fac@v2 is not shipped'],
    ['both forms at once', { framework: 'rs-gaap@v1', fac: 'v1' }, 'either framework and overrides'],
    ['text', 'rs-gaap@v1', 'A pin is an object'],
    ['a list of overrides', { overrides: ['fac'] }, 'overrides is an object'],
  ])('is refused for %s, and nothing changes (taxonomy LB-9)', async (_what, value, message) => {
    const pinning = opened.write(graphId, (work) => opened.views.pin(work, value));
    await expect(pinning).rejects.toThrow(message);
    expect(await viewed()).toEqual({ pin: standard, excludedIds: [] });
    expect(opened.stale).toEqual([]);
  });
});

describe('an upgrade', () => {
  const cash = 'CashAndCashEquivalentsAtCarryingValue';
  const without = (id: string) => ({
    ...library.rows,
    elements: library.rows.elements.filter((element) => element.id !== id),
  });

  it('lists in a dry run what is missing, new and counted otherwise in closed months (taxonomy LB-12)', async () => {
    const [first] = library.rows.elements;
    if (first === undefined) throw new Error('The library is empty.');
    const fresh = { ...first, id: 'new-concept', qname: 'rs-gaap:BrandNew' };
    const next = {
      ...library.rows,
      elements: [...without(conceptId(cash)).elements, fresh],
      associations: library.rows.associations.map((arc) =>
        arc.associationType === 'calculation' && arc.toElementId === conceptId(cash) ? { ...arc, weight: -1 } : arc,
      ),
    };
    opened.history.months = { count: 2, first: '2025-01', last: '2025-02' };
    const report = await opened.inGraph(graphId, (tx) => opened.views.dryRun(tx, next));
    opened.history.months = undefined;
    expect(report.missing).toEqual([`rs-gaap:${cash}`]);
    expect(report.changes.added).toEqual([{ id: 'new-concept', qname: 'rs-gaap:BrandNew' }]);
    expect(report.changes.calculations.length).toBeGreaterThan(0);
    for (const { weightBefore, weightAfter } of report.changes.calculations)
      expect([weightBefore, weightAfter]).toEqual([1, -1]);
    expect(report.closedMonths).toEqual({ count: 2, first: '2025-01', last: '2025-02' });
  });

  it('asks nobody about closed months when no account is concerned (taxonomy LB-12 b)', async () => {
    const goodwill = conceptId('Goodwill');
    const next = {
      ...library.rows,
      associations: library.rows.associations.filter(
        (arc) => arc.associationType !== 'calculation' || arc.toElementId !== goodwill,
      ),
    };
    opened.history.months = { count: 1, first: '2025-01', last: '2025-01' };
    const report = await opened.inGraph(graphId, (tx) => opened.views.dryRun(tx, next));
    opened.history.months = undefined;
    expect(report.changes.calculations.every(({ weightAfter }) => weightAfter === null)).toBe(true);
    expect(report).toMatchObject({ missing: [], closedMonths: undefined });
  });

  it('is refused while a mapped concept would be missing, and nothing changes (taxonomy LB-12 a)', async () => {
    const pinning = opened.write(graphId, (work) => opened.views.pin(work, null, without(conceptId(cash))));
    await expect(pinning).rejects.toMatchObject({ kind: 'invalid_input', details: { missing: [`rs-gaap:${cash}`] } });
    expect(opened.stale).toEqual([]);
  });

  it('is done otherwise, and marks the graph stale (taxonomy LB-12)', async () => {
    const next = without(conceptId('Goodwill'));
    const value = { framework: 'rs-gaap@v1', overrides: { fac: 'v1' } };
    const report = await opened.write(graphId, (work) => opened.views.pin(work, value, next));
    expect(report.changes.dropped).toEqual([{ id: conceptId('Goodwill'), qname: 'rs-gaap:Goodwill' }]);
    expect(opened.stale).toEqual([[graphId, 'library_resynced']]);
    expect((await viewed()).pin).toEqual(value);
    expect(await opened.inGraph('kg_other', (tx) => opened.views.view(tx))).toEqual({ pin: standard, excludedIds: [] });
  });

  it('of a graph that is let go is refused while a mapped concept would be missing (taxonomy LB-12 a)', async () => {
    const value = { framework: 'rs-gaap@v1', overrides: { fac: 'v1' } };
    await opened.write(graphId, (work) => opened.views.pin(work, value));
    const marks = opened.stale.length;
    const unpinning = opened.write(graphId, (work) => opened.views.unpin(work, without(conceptId(cash))));
    await expect(unpinning).rejects.toMatchObject({ kind: 'invalid_input', details: { missing: [`rs-gaap:${cash}`] } });
    expect((await viewed()).pin).toEqual(value);
    expect(opened.stale.length).toBe(marks);
  });

  it('marks a graph stale when it lets go of its pin, and not when it has none (taxonomy LB-12)', async () => {
    await opened.write(graphId, (work) => opened.views.pin(work, { fac: 'v1' }));
    const marks = opened.stale.length;
    await opened.write(graphId, (work) => opened.views.unpin(work));
    expect(opened.stale.slice(marks)).toEqual([[graphId, 'library_resynced']]);
    expect((await viewed()).pin).toEqual(standard);
    await opened.write(graphId, (work) => opened.views.unpin(work));
    await opened.write('kg_other', (work) => opened.views.unpin(work));
    expect(opened.stale.length).toBe(marks + 1);
  });

  it('without the edition of a pin leaves the graph behind (taxonomy LB-9)', async () => {
    await opened.write(graphId, (work) => opened.views.pin(work, { fac: 'v1' }));
    const next = {
      ...library.rows,
      taxonomies: library.rows.taxonomies.filter(({ standard: name }) => name !== 'fac'),
    };
    const behind = (id: string, rows: LibraryRows = next) =>
      opened.inGraph(id, (tx) => opened.views.leftBehind(tx, rows));
    expect(await behind(graphId)).toEqual({ ...standard, overrides: { fac: 'v1' } });
    expect(await behind(graphId, library.rows)).toBeUndefined();
    expect(await behind('kg_other')).toBeUndefined();
    await opened.write(graphId, (work) => opened.views.unpin(work));
  });

  it('changes nothing between equal editions', () => {
    const content = { elements: [{ id: 'a', qname: 'x:A' }], calculations: [] };
    expect(libraryChanges(content, content)).toEqual({ dropped: [], added: [], calculations: [] });
  });
});

describe('what a graph hides', () => {
  it.each([
    ['a line of a statement', 'rs-gaap:Goodwill', 'in_statements'],
    ['a total', 'rs-gaap:Assets', 'in_statements'],
    ['a mapped concept', 'rs-gaap:CommonStockValue', 'mapped'],
    ['what does not exist', 'rs-gaap:Nothing', 'unknown'],
  ])('is never %s (taxonomy LB-10)', async (_what, qname, reason) => {
    const before = await viewed();
    const hiding = opened.write(graphId, (work) => opened.views.exclude(work, [qname]));
    await expect(hiding).rejects.toThrow(`${qname} (${reason})`);
    expect(await viewed()).toEqual(before);
  });
});

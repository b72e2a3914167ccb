import { describe, expect, it } from 'vitest';
import { keptColumns, keptMembers } from './section-budget.ts';
import type { Cell, SectionColumn } from './section-cells.ts';
import { footing, footingTolerance } from './section-footing.ts';

const kept = { periods: null, member: null, maxMembers: null, isAnnual: false };

const month = (number: number): SectionColumn => {
  const text = String(number).padStart(3, '0');
  return { key: `m${text}`, start: text, end: text, type: 'duration', duration: 'monthly' };
};
const cell = (element: string, period: string, memberKey = '', value = '1', decimals: string | null = '2'): Cell => ({
  element,
  period,
  memberKey,
  fact: {
    id: `${element}-${period}`,
    element,
    start_date: null,
    end_date: period,
    period_type: 'instant',
    duration_type: null,
    fact_type: 'Numeric',
    value,
    decimals,
    reported_at: null,
  },
});

describe('columns of a section', () => {
  const columns = Array.from({ length: 100 }, (_each, at) => month(100 - at));

  it('are the newest within the budget, at least eight (reporting V-16)', () => {
    expect(keptColumns(columns, [], { rowCount: 20, kept }).size).toBe(22);
    expect([...keptColumns(columns, [], { rowCount: 400, kept })]).toEqual(columns.slice(0, 8).map(({ key }) => key));
  });

  it('leave no row without one (reporting V-16)', () => {
    const cells = [cell('old', 'm001'), cell('old', 'm002'), cell('new', 'm100')];
    const chosen = keptColumns(columns, cells, { rowCount: 400, kept });
    expect([chosen.has('m002'), chosen.has('m001'), chosen.size]).toEqual([true, false, 9]);
  });

  it('begin with balances and years in a report over a year (reporting V-16)', () => {
    const year = { ...month(0), key: 'year', duration: 'annual' };
    expect(keptColumns([...columns, year], [], { rowCount: 400, kept: { ...kept, isAnnual: true } }).has('year')).toBe(
      true,
    );
  });
});

describe('members of a section', () => {
  it('are the most reported within the budget, and none is the only number of a row that is cut (reporting V-16)', () => {
    const cells = Array.from({ length: 500 }, (_each, at) => cell('a', 'm001', `member ${at}`));
    const rare = cell('b', 'm001', 'rare');
    const chosen = keptMembers([cell('a', 'm001'), ...cells, rare], new Set(['m001']), kept);
    expect([chosen.size, chosen.has('rare')]).toEqual([201, true]);
    const few = keptMembers([cell('a', 'm001'), ...cells], new Set(['m001']), { ...kept, maxMembers: 3 });
    expect(few.size).toBe(3);
  });
});

describe('footing of a section', () => {
  const elements = new Map();
  const arcs = [
    { from: 'total', to: 'one', weight: 1 },
    { from: 'total', to: 'two', weight: -1 },
  ];
  const of = (total: string, decimals: string | null, two = '1') =>
    footing(
      arcs,
      [cell('total', 'm001', '', total, decimals), cell('one', 'm001', '', '10'), cell('two', 'm001', '', two)],
      {
        columns: [month(1)],
        elements,
      },
    )[0];

  it('tolerates half a unit of the last digit, nothing for exact numbers (reporting V-17)', () => {
    expect(['INF', '2', '-3', null].map((each) => footingTolerance(each).toString())).toEqual([
      '0',
      '0.005',
      '500',
      '0.5',
    ]);
    expect(of('9.005', '2')?.foots).toBe(true);
    expect(of('9.006', '2')?.differences).toEqual({ m001: { reported: 9.006, computed: 9, difference: 0.006 } });
    expect(of('9.000001', 'INF')?.foots).toBe(false);
  });

  it('names summands without a number', () => {
    const [total] = footing(arcs, [cell('total', 'm001', '', '9'), cell('one', 'm001', '', '10')], {
      columns: [month(1)],
      elements,
    });
    expect(total).toMatchObject({ foots: false, checked: 1, differences: { m001: { missing: ['two'] } } });
  });
});

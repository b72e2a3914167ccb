// Goal: a line has one source of its projected value.
// Method: the pure check over the shipped statements, with a driver rule of an own catalog.
import { describe, expect, it } from 'vitest';
import { driverRules } from '../src/forecasts/driver-rules.ts';
import { ForecastLines } from '../src/forecasts/forecast-lines.ts';
import { type NamedConcepts, requireConcepts } from '../src/forecasts/line-concepts.ts';
import { forecastInput } from './forecast-input.ts';
import { shippedLayout, shippedLibrary } from './shipped-statements.ts';

const style = shippedLibrary.statements.ofStyle('BSC-CORP-IS02-CF1');
if (style === undefined) throw new Error('The library has no default style.');
const lines = new ForecastLines(style, shippedLayout('BSC-CORP-IS02-CF1'));
const [revenues] = forecastInput().rules;
if (revenues === undefined) throw new Error('The library has no driver rule.');
const interest = { ...revenues, target: 'rs-gaap:InterestExpense' };

const check = (named: Partial<NamedConcepts>) => () =>
  requireConcepts(
    { levers: [], assertions: [], growth: [], ...named },
    {
      lines,
      rules: [interest],
      elementOf: (qname) => {
        const element = shippedLibrary.elementByQname(qname);
        return element === undefined ? undefined : { ...element, code: null, description: null };
      },
      catalogOf: (qname) => (qname.startsWith('rs-driver:') ? 'rs-driver' : undefined),
    },
  );

describe('requireConcepts', () => {
  const levers = [...revenues.concepts.values()].filter((qname) => qname.startsWith('rs-driver:'));

  it('refuses growth of a line that an active rule projects (reporting Q-5)', () => {
    expect(check({ levers, growth: [interest.target] })).toThrow(
      'rs-gaap:InterestExpense is already projected by a lever',
    );
  });

  it('accepts growth of the line while the rule has no lever (reporting Q-5, Q-9)', () => {
    expect(check({ growth: [interest.target] })).not.toThrow();
  });

  it('names every problem at once (reporting Q-5)', () => {
    expect(check({ assertions: ['rs-gaap:Assets', 'rs-gaap:Luck'], growth: ['rs-gaap:InventoryNet'] })).toThrow(
      /rs-gaap:Assets is a total.*rs-gaap:Luck is unknown.*rs-gaap:InventoryNet cannot grow/,
    );
  });
});

describe('driverRules', () => {
  it('keeps a rule that cannot be parsed apart, with the reason (reporting Q-9)', () => {
    const rule = {
      id: 'rule_1',
      structureId: null,
      name: 'Average',
      category: 'FundamentalAccountingConceptRelation',
      pattern: 'Derive',
      checkKind: null,
      expression: '$A = avg($B)',
      variables: [
        { name: 'A', elementId: null, qname: 'rs-gaap:Assets' },
        { name: 'B', elementId: null, qname: 'rs-gaap:Liabilities' },
      ],
      message: null,
      severity: 'error',
      origin: 'native',
      target: null,
      metadata: {},
    } as const;
    const { usable, unusable } = driverRules([rule, { ...rule, id: 'rule_0', expression: '$A + $B = $B' }]);
    expect(usable).toEqual([]);
    expect(unusable.map(({ id, reason }) => [id, reason.slice(0, 17)])).toEqual([
      ['rule_0', 'expression error:'],
      ['rule_1', 'expression error:'],
    ]);
  });
});

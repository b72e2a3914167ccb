import { describe, expect, it } from 'vitest';
import type { PlannedArc, PlannedConcept, PlannedContext, PlannedFact, XbrlPlan } from './plan.ts';
import { selfCheck } from './self-check.ts';

const contextCount = 240;
const itemCount = 200;
const arcrole = 'http://www.xbrl.org/2003/arcrole/summation-item';

function concept(local: string): PlannedConcept {
  return {
    qname: `ex:${local}`,
    prefix: 'ex',
    local,
    type: 'xbrli:monetaryItemType',
    substitutionGroup: 'xbrli:item',
    periodType: 'instant',
    balance: 'debit',
    isAbstract: false,
    typedDomain: null,
    labels: [],
  };
}

const items = Array.from({ length: itemCount }, (_, index) => `Item${index}`);
const contexts = Array.from({ length: contextCount }, (_, index): PlannedContext => {
  return { id: `I_${index}`, period: { instant: '2026-04-30' }, members: [] };
});

function factOf(local: string, context: string, text: string): PlannedFact {
  return { id: `f_${local}_${context}`, concept: `ex:${local}`, context, unit: 'USD', decimals: '2', text };
}

/** A total of 200 items in 240 contexts, in each of several roles: 48,240 facts. */
function planOf(roleCount: number): XbrlPlan {
  const calculation = items.map((local, order): PlannedArc => {
    return { arcrole, from: 'ex:Total', to: `ex:${local}`, order, weight: 1 };
  });
  return {
    stem: 'many-facts',
    space: 'https://example.org/report/1/',
    name: 'Many facts',
    generation: 1,
    publisher: 'Example',
    publishedOn: '2026-04-30',
    frameworks: [{ prefix: 'ex', namespace: 'https://example.org/taxonomy' }],
    concepts: ['Total', ...items].map(concept),
    roles: Array.from({ length: roleCount }, (_, index) => {
      return { id: `Role${index}`, uri: '', definition: '', presentation: [], calculation, dimensions: [] };
    }),
    entity: { scheme: 'https://example.org/entity', identifier: '1' },
    contexts,
    units: [{ id: 'USD', numerator: 'iso4217:USD', denominator: null }],
    facts: contexts.flatMap(({ id }) => [
      factOf('Total', id, `${itemCount * 2}.00`),
      ...items.map((local) => factOf(local, id, '2.00')),
    ]),
    omitted: [],
  };
}

describe('self-check', () => {
  it('finds the one cent that is missing among 48,000 facts (reporting X-42)', () => {
    const plan = planOf(2);
    expect(selfCheck(plan)).toEqual([]);
    const facts = plan.facts.map((fact) => (fact.id === 'f_Item199_I_239' ? { ...fact, text: '1.99' } : fact));
    expect(selfCheck({ ...plan, facts })).toEqual([
      'Role0: ex:Total in I_239 USD is 400.00, and its parts differ',
      'Role1: ex:Total in I_239 USD is 400.00, and its parts differ',
    ]);
  });

  it('compares amounts of other precision exactly, and ignores totals without parts (reporting X-42)', () => {
    const plan = planOf(1);
    const exact = plan.facts.map((fact) => (fact.concept === 'ex:Item0' ? { ...fact, text: '2' } : fact));
    expect(selfCheck({ ...plan, facts: exact })).toEqual([]);
    const totals = plan.facts.filter((fact) => fact.concept === 'ex:Total');
    expect(selfCheck({ ...plan, facts: totals })).toEqual([]);
  });

  it('names a concept that is declared twice, once (reporting X-42)', () => {
    const plan = planOf(1);
    expect(selfCheck({ ...plan, concepts: [...plan.concepts, concept('Item7')] })).toEqual([
      'ex:Item7 is declared twice',
    ]);
  });
});

import { expect, it } from 'vitest';
import { handMadeBundle } from '../../../test/hand-made-bundle.ts';
import { shownStatements } from './shown-statement.ts';

it('dates the statements of empty books by their concepts (reporting G-7a)', () => {
  const bundle = { ...handMadeBundle, facts: [] };
  const ofDays = shownStatements(bundle).filter(({ isInstant }) => isInstant);
  expect(ofDays).toEqual([]);
  const concepts = bundle.concepts.map((each) => ({ ...each, periodType: 'instant' as const }));
  const structures = bundle.structures.map((structure) => ({ ...structure, blockType: 'disclosure' }));
  expect(shownStatements({ ...bundle, concepts, structures }).every(({ isInstant }) => isInstant)).toBe(true);
});

it('dates statements without any concept by their type (reporting G-7a)', () => {
  const types = ['income_statement', 'cash_flow_statement', 'equity_statement', 'disclosure', 'balance_sheet'];
  const structures = types.flatMap((blockType) =>
    handMadeBundle.structures.slice(0, 1).map((structure) => ({ ...structure, blockType, arcs: [] })),
  );
  const shown = shownStatements({ ...handMadeBundle, structures, facts: [] });
  expect(shown.map(({ isInstant }) => isInstant)).toEqual([false, false, false, false, true]);
});

it('dates a statement of movements that shows a balance alone by its period (reporting G-7a)', () => {
  const balances = handMadeBundle.facts.filter(({ concept, period }) => concept === 'ex:Equity' && 'instant' in period);
  const structures = handMadeBundle.structures.filter(({ blockType }) => blockType === 'equity_statement');
  const shown = shownStatements({ ...handMadeBundle, structures, facts: balances });
  expect(shown.map(({ isInstant }) => isInstant)).toEqual([false]);
});

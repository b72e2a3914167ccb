import { expect, it } from 'vitest';
import { handMadeBundle } from '../../../test/hand-made-bundle.ts';
import { shownStatements } from './shown-statement.ts';

it('dates the statements of empty books by their concepts (reporting G-7a)', () => {
  const bundle = { ...handMadeBundle, facts: [] };
  const ofDays = shownStatements(bundle).filter(({ isInstant }) => isInstant);
  expect(ofDays).toEqual([]);
  const concepts = bundle.concepts.map((each) => ({ ...each, periodType: 'instant' as const }));
  expect(shownStatements({ ...bundle, concepts }).every(({ isInstant }) => isInstant)).toBe(true);
});

import { expect, it } from 'vitest';
import { allCases } from '../src/all-cases.ts';
import { readContract } from '../src/contract.ts';
import { genericCases } from '../src/generic-cases.ts';
import { servedOf } from '../src/served.ts';

/** One row for each case, so that every change of an id, level or title is reviewed. */
it('matches the golden list of ids, levels and titles of all cases', async () => {
  const { openapi, sdl } = readContract();
  const generic = genericCases(servedOf(openapi, sdl)).map((each) => ({ ...each, id: each.id.slice(0, 7) }));
  const rows = [...allCases(), ...generic].map(({ id, level, title }) => {
    return `${id} ${level} ${id === 'GEN-009' ? title.replace(/^\w+/, 'a method') : title}`;
  });
  const text = `${[...new Set(rows)].sort().join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('./golden/catalog.txt');
});

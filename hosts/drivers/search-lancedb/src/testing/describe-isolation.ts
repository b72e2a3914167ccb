/** The part of the suite about the isolation of graphs. */
import type { IndexRevision, SearchIndex } from '@pacioli/core/ports';
import { expect, it } from 'vitest';
import { entryWith, type Found, manyEntries, queryFor, type Write } from './entries.ts';

const options = { signal: new AbortController().signal };

export function describeIsolation(index: () => SearchIndex, found: Found, write: Write): void {
  it('never reaches the entries of another graph, whatever the id (ai-surface SR-3)', async () => {
    const graphs = [
      'kgone',
      'kgone_sub',
      'KGONE',
      '../kgone',
      'kgone/',
      'kg one',
      "kg'one",
      '株',
      'k'.repeat(300),
      '.',
    ];
    for (const graphId of graphs) await write(graphId, [entryWith({ id: 'same_0', content: `secret of ${graphId}` })]);
    for (const graphId of graphs) {
      const { byText } = await index().search(graphId, queryFor('secret'), options);
      expect(byText).toHaveLength(1);
      const entries = await index().entries(graphId, ['same_0'], options);
      expect(entries.map(({ content }) => content)).toEqual([`secret of ${graphId}`]);
    }
    await index().deleteGraph('kgone', options);
    expect(await found('kgone', 'secret')).toEqual([]);
    for (const graphId of graphs.slice(1)) expect(await found(graphId, 'secret')).toEqual(['same_0']);
  });

  it('ranks by the statistics of the graph alone (ai-surface SR-11)', async () => {
    const entries = manyEntries(40);
    await write('kgalone', entries);
    const search = () => index().search('kgalone', queryFor('w1 w30'), options);
    const before = await search();
    await write(
      'kgneighbor',
      Array.from({ length: 50 }, (_e, at) => entryWith({ id: `n${at}_0`, content: 'w30 w30' })),
    );
    expect(await search()).toEqual(before);
  });

  it('has a revision that never decreases, one of another space after a deletion, and none of a graph that has nothing (ai-surface D-17)', async () => {
    const revision = () => index().revision('kgrevised', options);
    expect(await revision()).toBeUndefined();
    const revisions: (IndexRevision | undefined)[] = [];
    for (const entries of [
      [entryWith({ id: 'a_0', content: 'one' })],
      [entryWith({ id: 'a_0', content: 'two' })],
      [],
    ]) {
      await index().replace('kgrevised', 'a_', entries, options);
      revisions.push(await revision());
    }
    const numbers = revisions.map((each) => each?.number ?? -1);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const spaces = new Set(revisions.map((each) => each?.space));
    expect([...spaces]).toEqual([expect.any(String)]);
    await index().deleteGraph('kgrevised', options);
    expect(await revision()).toBeUndefined();
    await index().replace('kgrevised', 'a_', [entryWith({ id: 'a_0', content: 'one' })], options);
    expect(spaces).not.toContain((await revision())?.space);
  });

  it('answers for a graph without entries, and takes entries after its deletion', async () => {
    expect(await found('kgnone', 'a')).toEqual([]);
    expect(await index().entries('kgnone', ['a'], options)).toEqual([]);
    expect(await index().stats('kgnone', options)).toEqual({ entries: 0, byModel: {} });
    await index().replace('kgnone', 'a_', [], options);
    await index().deleteGraph('kgnone', options);
    await write('kgnone', [entryWith({ id: 'a_0', content: 'again' })]);
    await index().deleteGraph('kgnone', options);
    await index().deleteGraph('kgnone', options);
    expect(await found('kgnone', 'again')).toEqual([]);
    await write('kgnone', [entryWith({ id: 'a_0', content: 'again' })]);
    expect(await found('kgnone', 'again')).toEqual(['a_0']);
  });
}

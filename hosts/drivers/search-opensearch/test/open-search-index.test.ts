/**
 * Starts a search server.
 * @module-tag full-run
 */
import { type SearchIndex, SearchIndexError } from '@pacioli/core/ports';
import { describeSearchIndex, entryWith, queryFor } from '@pacioli/search-lancedb/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSearchIndex } from '../src/index.ts';
import { reasonToSkip, type SearchServer, startSearchServer } from '../src/testing/search-server.ts';
import { ClusterProxy } from './cluster-proxy.ts';

const reason = reasonToSkip();
if (reason === undefined) {
  describe('on a server', () => {
    let server: SearchServer;
    beforeAll(async () => {
      server = await startSearchServer();
    });
    afterAll(() => server.stop());

    describeSearchIndex('opensearch', async () => {
      const index = openSearchIndex({ url: server.url });
      return { index, dispose: () => index.close() };
    });
    describeBrokenWrites(() => server.url);
  });
} else describe.skip(`search index opensearch: ${reason}`, () => it('is tested', () => undefined));

function describeBrokenWrites(urlOf: () => string): void {
  describe('a write that breaks off', () => {
    const { signal } = new AbortController();
    let proxy: ClusterProxy;
    let index: SearchIndex;
    beforeAll(async () => {
      proxy = new ClusterProxy(urlOf());
      index = openSearchIndex({ url: await proxy.start() });
    });
    afterAll(async () => {
      await index.close();
      await proxy.stop();
    });
    afterEach(() => {
      proxy.forwards = () => true;
    });

    const replace = (graphId: string, ids: readonly string[], prefix: string, leaving = signal) =>
      index.replace(
        graphId,
        prefix,
        ids.map((id) => entryWith({ id, content: 'word' })),
        { signal: leaving },
      );
    /** The entries after the document is deleted and another one is written, which shows all that is stored. */
    const idsAfterDeletion = async (graphId: string): Promise<readonly string[]> => {
      await replace(graphId, [], 'a_');
      await replace(graphId, ['b_0'], 'b_');
      const { byText } = await index.search(graphId, queryFor('word'), { signal });
      return byText.map(({ id }) => id);
    };

    it.each(['_bulk', '_refresh'])('is completed when its caller leaves at its %s (ai-surface D-16)', async (step) => {
      const graphId = `kgleft${step}`;
      const leaving = new AbortController();
      let hasWritten = false;
      proxy.forwards = (path) => {
        hasWritten ||= path.includes('/_bulk');
        if (hasWritten && path.includes(`/${step}`)) leaving.abort(new Error('The caller has left.'));
        return true;
      };
      await replace(graphId, ['a_0', 'a_1'], 'a_', leaving.signal);
      expect((await index.stats(graphId, { signal })).entries).toBe(2);
      expect(await idsAfterDeletion(graphId)).toEqual(['b_0']);
    });

    it('leaves no entries that a later deletion misses (ai-surface D-16)', async () => {
      let hasWritten = false;
      proxy.forwards = (path) => {
        hasWritten ||= path.includes('/_bulk');
        return !(hasWritten && path.includes('/_refresh'));
      };
      await expect(replace('kgbroken', ['a_0'], 'a_')).rejects.toBeInstanceOf(SearchIndexError);
      proxy.forwards = () => true;
      expect(await idsAfterDeletion('kgbroken')).toEqual(['b_0']);
    });
  });
}

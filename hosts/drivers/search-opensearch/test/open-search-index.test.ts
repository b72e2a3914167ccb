/**
 * Starts a search server.
 * @module-tag full-run
 */
import { describeSearchIndex } from '@pacioli/search-lancedb/testing';
import { describe, it } from 'vitest';
import { openSearchIndex } from '../src/index.ts';
import { reasonToSkip, startSearchServer } from '../src/testing/search-server.ts';

const reason = reasonToSkip();
if (reason === undefined) {
  describeSearchIndex('opensearch', async () => {
    const server = await startSearchServer();
    const index = openSearchIndex({ url: server.url });
    return { index, dispose: () => index.close().finally(() => server.stop()) };
  });
} else describe.skip(`search index opensearch: ${reason}`, () => it('is tested', () => undefined));

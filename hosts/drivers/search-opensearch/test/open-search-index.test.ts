/**
 * Uses a search server.
 * @module-tag full-run
 */
import { describeSearchIndex } from '@pacioli/search-lancedb/testing';
import { describe, it } from 'vitest';
import { openSearchIndex } from '../src/index.ts';
import { reasonToSkip, useSearchServer } from '../src/testing/index.ts';

const reason = reasonToSkip();
if (reason === undefined) {
  describeSearchIndex('opensearch', async () => {
    const server = await useSearchServer();
    const index = openSearchIndex({ url: server.url, prefix: 'suite-' });
    return { index, dispose: () => index.close().finally(() => server.stop()) };
  });
} else describe.skip(`search index opensearch: ${reason}`, () => it('is tested', () => undefined));

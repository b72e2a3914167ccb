import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lanceSearchIndex } from './lazy-search-index.ts';
import { describeSearchIndex } from './testing/describe-search-index.ts';

describeSearchIndex('lancedb', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-search-'));
  const index = lanceSearchIndex({ folder });
  return {
    index,
    dispose: async () => {
      await index.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});

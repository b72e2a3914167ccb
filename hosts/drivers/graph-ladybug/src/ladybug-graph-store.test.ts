import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeGraphStore } from '@pacioli/graph-statements/testing';
import { ladybugGraphStore } from './ladybug-graph-store.ts';

describeGraphStore('ladybug', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-ladybug-'));
  const store = ladybugGraphStore({ folder });
  return {
    store,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});

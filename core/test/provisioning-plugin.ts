import { sql } from 'kysely';
import { contribute } from '../src/container/provider.ts';
import { definePlugin } from '../src/define/plugin.ts';
import { kernel } from '../src/services/kernel-tokens.ts';

/** A test domain that records its input in the graph's transaction, and fails for one company. */
export const harbour = definePlugin({
  name: 'harbour',
  title: 'Harbour master',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'harbour',
  contributions: [
    contribute(kernel.graphProvisioners, 'harbour', {
      create: () => ({
        domain: 'harbour',
        provision: async ({ tx, graphId, entity }) => {
          const note = `prepared for ${entity?.name ?? 'nobody'}`;
          await tx.query(sql`UPDATE kernel_graph SET description = ${note} WHERE graph_id = ${graphId}`);
          if (entity?.name === 'Sinking') throw new Error('The harbour is full.');
        },
      }),
    }),
  ],
});

export const entity = { name: 'Harbour Lantern Trading Company', uri: 'https://example.org' };
/** Builds a request for a graph with a test's changes. */
export const body = (metadata: object = {}, rest: object = {}) => ({
  metadata: { graph_name: 'Books', schema_extensions: ['port'], ...metadata },
  initial_entity: entity,
  ...rest,
});

import type { GraphDatabases } from '@pacioli/core/ports';
import { expect, it } from 'vitest';
import { clearDatabase } from './clear-database.ts';
import { Connections } from './connections.ts';
import { defaults } from './options.ts';

it('lets the next claim empty a database at once if its server did not answer (graphs E-30a)', async () => {
  const directory = {} as GraphDatabases; // Connections do not read it.
  const connections = new Connections({ ...defaults, directory, databases: [{ url: 'bolt://127.0.0.1:1' }] });
  const [address = ''] = connections.addresses;
  const held: number[] = [];
  const hold = async (forMs: number): Promise<boolean> => held.push(forMs) > 0;
  const ref = { graphId: 'kg00000000000000000001', generation: 1 };
  const cleared = clearDatabase({ connections, address, ref, hold, readersEnded: async () => undefined });
  await expect(cleared).rejects.toThrow();
  expect(held).toEqual([120_000, 0]);
  await connections.close();
});

// Writes rows 1, 2, 3, … into the store of the folder given as argument, one transaction each, and prints each number
// after its commit, until the process is killed.
import { sql } from 'kysely';
import { embeddedStore } from '../embedded-store.ts';
import { createSuiteTables } from '../suite/tables.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Give the data folder as argument.');

async function writeForever(path: string): Promise<never> {
  const store = await embeddedStore({ folder: path });
  await createSuiteTables(store);
  for (let id = 1; ; id += 1) {
    const insert = sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', ${id})`;
    await store.transaction({ graphId: 'kg1' }, (tx) => tx.query(insert));
    process.stdout.write(`${id}\n`);
  }
}

await writeForever(folder);

// Writes rows 1, 2, 3, … into the store of the folder given as argument, one transaction each, and prints each number
// after its commit, until the process is killed. The second argument is the length of the text in each row, the third the
// number of concurrent writers.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { embeddedStore } from '../embedded-store.ts';
import { createSuiteTables } from '../suite/tables.ts';

const [folder, textLength, writers = '1'] = process.argv.slice(2);
if (folder === undefined) throw new Error('Give the data folder as argument.');

async function writeForever(path: string): Promise<never> {
  const store = await embeddedStore({ folder: path });
  await createSuiteTables(store);
  let last = 0;
  const write = async (): Promise<never> => {
    for (;;) {
      last += 1;
      const id = last;
      // Random, because the engine compresses repeated texts.
      const text = randomBytes(Number(textLength) / 2).toString('hex');
      const insert = sql`INSERT INTO suite_row (graph_id, id, payload) VALUES ('kg1', ${id}, to_jsonb(${text}::text))`;
      await store.transaction({ graphId: 'kg1' }, (tx) => tx.query(insert));
      process.stdout.write(`${id}\n`);
    }
  };
  return Promise.race(Array.from({ length: Number(writers) }, write));
}

await writeForever(folder);

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Store } from '@pacioli/core';

let changes = 0;

/** Changes rows as nobody may: by the owner of the tables, with all triggers off. */
export async function tamper(store: Store, statement: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-tamper-'));
  try {
    await writeFile(join(folder, '0001-change.sql'), `SET LOCAL session_replication_role = replica; ${statement};`);
    changes += 1;
    await store.migrate([{ owner: `tamper-${changes}`, folder: pathToFileURL(`${folder}/`) }]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The service that every example embeds: a ledger below the path /books. */
import blocks from '@pacioli/blocks';
import { assemble, type GivenSettings, type Service } from '@pacioli/core/assembly';
import type { Store } from '@pacioli/core/ports';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';

/** Assembles the books over a store, and starts the worker that creates graphs. */
export async function startBooks(store: Store, settings: GivenSettings = {}): Promise<Service> {
  const service = await assemble({
    plugins: [taxonomy, blocks, ledger],
    store,
    // A real host reads the secret, of at least 32 characters, from its environment.
    auth: { jwtSecret: 'replace this secret by one of your own', issuer: 'shop', audience: 'shop' },
    settings: { prefix: '/books', ...settings },
  });
  await service.startWorker();
  return service;
}

/** An application that listens; `stop` lets running requests finish. */
export interface Application {
  readonly url: string;
  stop(): Promise<void>;
}

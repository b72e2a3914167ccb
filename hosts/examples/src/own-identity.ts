/** A host whose users come from another system, with its own tokens and roles: Pacioli keeps no accounts here. */
import type { AddressInfo } from 'node:net';
import blocks from '@pacioli/blocks';
import { assemble, ownIdentity, type Person } from '@pacioli/core/assembly';
import type { Store } from '@pacioli/core/ports';
import { createKoaApp, createLimitedServer, stopServer } from '@pacioli/host-koa';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';

const harbour = { id: 'org_harbour', name: 'Harbour Ltd' };
const lantern = { id: 'org_lantern', name: 'Lantern Ltd' };

/** The people of the other system by token. A real host verifies a signature here, or asks that system. */
const people = new Map<string, Person>([
  ['token-of-ada', { userId: 'ada', email: 'ada@harbour.example', name: 'Ada', org: { ...harbour, role: 'owner' } }],
  ['token-of-ben', { userId: 'ben', email: 'ben@harbour.example', name: 'Ben', org: { ...harbour, role: 'member' } }],
  [
    'token-of-cleo',
    { userId: 'cleo', email: 'cleo@lantern.example', name: 'Cleo', org: { ...lantern, role: 'owner' } },
  ],
]);

const identity = ownIdentity({
  findPerson: async ({ kind, secret }) => (kind === 'bearer' ? people.get(secret) : undefined),
});

/** Serves the ledger over a store, on a free port of this machine. */
export async function startHost(store: Store): Promise<{ readonly url: string; close(): Promise<void> }> {
  const service = await assemble({ plugins: [taxonomy, blocks, ledger], store, identity });
  await service.startWorker();
  const server = createLimitedServer(createKoaApp(service).callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => stopServer(server, [service]),
  };
}

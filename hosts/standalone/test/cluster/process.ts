/** One process of a deployment: the API on a port, or a worker. Started by the cluster test, ended by its signals. */
import { assemble } from '@pacioli/core/assembly';
import { createKoaApp, createLimitedServer } from '@pacioli/host-koa';
import { postgresStore } from '@pacioli/store-postgres';
import { tallyPlugin } from './tally-plugin.ts';

const [role = 'serve', url = '', port = '0'] = process.argv.slice(2);
const store = await postgresStore({ url, maxConnections: 8 });
const service = await assemble({
  plugins: [tallyPlugin],
  store,
  auth: { jwtSecret: 'a secret that all processes share: 0123456789', issuer: 'cluster', audience: 'cluster' },
  // Short leases, so that the runs of a killed worker are taken over soon.
  settings: {
    rateLimits: { profile: 'test' },
    operations: { leaseSeconds: 2 },
    sse: { maxPerUser: 1000 },
  },
});
if (role === 'serve') {
  const server = createLimitedServer(createKoaApp(service).callback());
  server.listen(Number(port), '127.0.0.1');
} else {
  await service.startWorker();
}
console.log('ready');

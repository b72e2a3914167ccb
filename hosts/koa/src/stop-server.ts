import type { Server } from 'node:http';
import type { Service } from '@pacioli/core/assembly';

/** Time that running requests get to finish. */
const maxStopMs = 30_000;
/** Interval at which connections that have become idle are closed. */
const idleSweepMs = 50;

/**
 * Stops a server and the services mounted in it. In order: no new connections, event streams end with `stream_end`,
 * runs return to the queue, running requests finish or are cut off after `maxMs`, the services close (platform H-10).
 */
export async function stopServer(
  server: Pick<Server, 'close' | 'closeIdleConnections' | 'closeAllConnections'>,
  services: readonly Pick<Service, 'drain' | 'close'>[],
  { maxMs = maxStopMs }: { readonly maxMs?: number } = {},
): Promise<void> {
  const ended = new Promise((resolve) => server.close(resolve));
  const cutOff = setTimeout(() => server.closeAllConnections(), maxMs);
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
  try {
    const drained = await Promise.allSettled(services.map((service) => service.drain()));
    await ended;
    requireFulfilled(drained);
  } finally {
    clearTimeout(cutOff);
    clearInterval(sweep);
    requireFulfilled(await Promise.allSettled(services.map((service) => service.close())));
  }
}

/** A failure of one service must not keep the others open, so it is reported after all have finished. */
function requireFulfilled(results: readonly PromiseSettledResult<void>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { BoltDatabase } from '../options.ts';
import { missingPrograms, type ServerProcess, startServerProcess } from './server-process.ts';

/** Graph servers with one empty database each. */
export interface BoltServers {
  readonly databases: readonly BoltDatabase[];
  stop(): Promise<void>;
}

/**
 * Why tests with a graph server are skipped here; undefined if they run. Where everything is required, a missing
 * program is an error.
 */
export function reasonToSkip(): string | undefined {
  const missing = missingPrograms();
  if (missing.length === 0 || process.env['PACIOLI_TEST_BOLT_CONTROL'] !== undefined) return undefined;
  const reason = `Tests with a graph server need ${missing.join(' and ')}: install a JDK and Maven.`;
  if (process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1') throw new Error(reason);
  return reason;
}

const standardMemoryMegabytes = 128;

/**
 * Starts fresh servers, in the process of the test run if it has one. The rows of one statement take this much memory at
 * most; 0 is no limit.
 */
export async function startBoltServers(count: number, memoryMegabytes = standardMemoryMegabytes): Promise<BoltServers> {
  const shared = process.env['PACIOLI_TEST_BOLT_CONTROL'];
  if (shared !== undefined) return request(Number(shared), count, memoryMegabytes);
  const own = await startServerProcess();
  try {
    const servers = await serversOf(own, count, memoryMegabytes);
    return { ...servers, stop: () => own.stop() };
  } catch (error) {
    await own.stop();
    throw error;
  }
}

/** Fresh servers in a process of their own. */
export const serversOf = (
  { controlPort }: ServerProcess,
  count: number,
  memoryMegabytes = standardMemoryMegabytes,
): Promise<BoltServers> => request(controlPort, count, memoryMegabytes);

async function request(controlPort: number, count: number, memoryMegabytes: number): Promise<BoltServers> {
  const socket = connect(controlPort, '127.0.0.1');
  const line = await new Promise<string>((resolve, reject) => {
    socket.once('error', reject);
    const lines = createInterface({ input: socket });
    lines.once('line', resolve);
    lines.once('close', () => reject(new Error('The process with the graph servers ended.')));
    socket.write(`start ${count} ${memoryMegabytes}\n`);
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined); // Ended with the process.
  return {
    databases: line.split(' ').map((url) => ({ url })),
    stop: async () => {
      socket.end();
      await closed;
    },
  };
}

import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Log } from '@pacioli/core';
import type { EmbeddedEngine } from '@pacioli/store-postgres/engine';
import { type Deployment, openDeployment } from './deployment.ts';
import type { Settings } from './settings.ts';
import { StartUpError } from './start-up-error.ts';

const maxPort = 65_535;

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  readonly deployment: Deployment;
  close(): Promise<void>;
}

/** Starts the API, and the worker unless it runs elsewhere. */
export async function startServer(
  settings: Settings,
  log: Log,
  options: { readonly hasWorker: boolean; readonly engine?: EmbeddedEngine | undefined },
): Promise<RunningServer> {
  await requireFreePort(settings);
  const loadHttp = () => import('./http-server.ts');
  const deployment = await openDeployment(settings, log, {
    engine: options.engine,
    // A module that cannot be loaded fails below.
    whileChecking: () => void loadHttp().catch(() => undefined),
  });
  try {
    const { createHttpServer, stopServer } = await loadHttp();
    const server = createHttpServer(deployment, settings, log);
    await listen(server, settings);
    if (options.hasWorker) await deployment.service.startWorker();
    const { port } = server.address() as AddressInfo; // A listening TCP server has one.
    const { service } = deployment;
    return {
      url: `http://${settings.host}:${port}${service.prefix}`,
      deployment,
      close: () => stopServer(server, [{ drain: service.drain, close: deployment.close }]),
    };
  } catch (error) {
    await deployment.close();
    throw error;
  }
}

/** Listens briefly, so that a port already in use is reported before a database is created. */
async function requireFreePort(settings: Settings): Promise<void> {
  const probe = createServer();
  await listen(probe, settings);
  await new Promise((resolve) => probe.close(resolve));
}

async function listen(server: Server, settings: Settings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(
          new StartUpError(`Port ${settings.port} on ${settings.host} is already in use. ${advice(settings.port)}`),
        );
      else if (error.code === 'EACCES')
        reject(
          new StartUpError(`Port ${settings.port} may not be opened by this user. Choose one above 1023 with PORT.`),
        );
      else if (['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL'].includes(error.code ?? ''))
        reject(new StartUpError(`"${settings.host}" is not an address of this machine. Choose another one with HOST.`));
      else reject(error);
    });
    server.listen(settings.port, settings.host, resolve);
  });
}

function advice(port: number): string {
  const other = port < maxPort ? port + 1 : port - 1;
  return `Choose another one, for example with PORT=${other} in front of the command.`;
}

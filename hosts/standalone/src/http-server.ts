import type { Server } from 'node:http';
import { consolePages } from '@pacioli/console';
import { type Log, pluginPages } from '@pacioli/core';
import { type Service, statusService } from '@pacioli/core/assembly';
import { createKoaApp, createLimitedServer } from '@pacioli/host-koa';
import { appConsent } from '@pacioli/mcp';
import type { Deployment } from './deployment.ts';
import type { Settings } from './settings.ts';

export { stopServer } from '@pacioli/host-koa';

/** Creates the server for the API and the pages of a deployment; it does not listen yet. */
export function createHttpServer({ service }: Deployment, settings: Settings, log: Log): Server {
  const app = createKoaApp(service, {
    log,
    allowedOrigins: settings.switches.allowedOrigins,
    isBehindProxy: settings.switches.isBehindProxy,
    pages: consolePages({
      hasExplorer: settings.isDemoOn,
      hasConsent: hasConsent(service),
      pages: () => service.services.resolve(pluginPages),
      status: () => service.services.resolve(statusService).report(),
    }),
  });
  return createLimitedServer(app.callback());
}

/** True if users can connect apps here, so that there is a page for their consent. */
export function hasConsent(service: Service): boolean {
  const hasRoutes = service.endpoints.some(({ path }) => path === '/v1/oauth/authorize');
  return hasRoutes && service.services.resolve(appConsent).isOn;
}

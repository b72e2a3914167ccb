import {
  appGrants,
  createToken,
  graphAccess,
  kernel,
  kernelSettings,
  offeredRepositories,
  provide,
  providePart,
  securityAudit,
  traffic,
} from '@pacioli/core';
import { config } from '../config.ts';
import { AuthorizationServer, appConsent, authorizationServer } from './authorization-server.ts';
import { type Network, publicInternet } from './document-fetch.ts';
import { mcpTokens } from './mcp-tokens.ts';

/** The network for client metadata documents; tests replace it. */
export const documentNetwork = createToken<Network>('mcp.document-network');

export const authorizationProviders = [
  provide(documentNetwork, { create: () => publicInternet }),
  provide(authorizationServer, {
    services: {
      store: kernel.store,
      clock: kernel.clock,
      ids: kernel.ids,
      domains: kernel.domains,
      audit: securityAudit,
      grants: appGrants,
      access: graphAccess,
      repositories: offeredRepositories,
      traffic,
      network: documentNetwork,
      config: config.token,
      settings: kernelSettings,
    },
    create: ({ settings: { publicUrl }, ...use }) => new AuthorizationServer({ ...use, publicUrl }),
  }),
  providePart(mcpTokens, authorizationServer, (server) => server.tokens),
  providePart(appConsent, authorizationServer, ({ isOn }) => ({ isOn })),
];

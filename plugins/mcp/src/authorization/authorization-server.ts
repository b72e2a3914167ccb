import {
  type AppGrants,
  type Clock,
  createToken,
  type Domains,
  type GraphAccess,
  type Ids,
  notFound,
  type OfferedRepository,
  type RequestFacts,
  type SecurityAudit,
  ServiceError,
  type Store,
  type Traffic,
} from '@pacioli/core';
import type { McpSettings } from '../config.ts';
import { type GateContext, hostNotAllowed, isHostAllowed } from '../protocol/index.ts';
import { AuthorizationRequests } from './authorization-requests.ts';
import { type ClientCredentials, Clients } from './clients.ts';
import { DocumentFetch, type Network } from './document-fetch.ts';
import { Expiry } from './expiry.ts';
import { GraphChoice } from './graph-choice.ts';
import { type McpTokens, noTokens } from './mcp-tokens.ts';
import { digestOf } from './secrets.ts';
import { StoredMcpTokens } from './stored-mcp-tokens.ts';
import { TokenExchange } from './token-exchange.ts';

const maxTokenCalls = 60;

interface ServerServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: SecurityAudit;
  readonly grants: AppGrants;
  readonly access: GraphAccess;
  readonly domains: Domains;
  readonly repositories: readonly OfferedRepository[];
  readonly traffic: Traffic;
  readonly network: Network;
  readonly config: McpSettings;
  /** The URL of the service for its users; empty if it is not known. */
  readonly publicUrl: string;
}

/** The authorization server for AI clients (ai-surface 6). */
export class AuthorizationServer {
  readonly clients: Clients;
  readonly requests: AuthorizationRequests;
  readonly exchange: TokenExchange;
  readonly tokens: McpTokens;
  readonly graphs: GraphChoice;
  readonly expiry: Expiry;
  readonly #traffic: Traffic;
  readonly #publicUrl: string;
  /** False where the server is switched off, or where users sign in to the host. */
  readonly isOn: boolean;

  constructor(use: ServerServices) {
    const { config } = use;
    this.isOn = config.oauth && use.grants.isOn;
    this.graphs = new GraphChoice(use);
    this.clients = new Clients({ ...use, documents: new DocumentFetch(use.network) });
    this.requests = new AuthorizationRequests({
      ...use,
      clients: this.clients,
      graphs: this.graphs,
      trustedHosts: new Set(config.trustedClientHosts),
    });
    this.exchange = new TokenExchange({ ...use, hasGrace: config.refreshGrace });
    this.expiry = new Expiry(use);
    this.#traffic = use.traffic;
    this.#publicUrl = use.publicUrl;
    this.tokens = this.isOn ? new StoredMcpTokens({ ...use, graphs: this.graphs }) : noTokens;
  }

  /**
   * Throws 404 where the server is not on, and 403 for a foreign name of this machine, because the issuer and every link
   * would have that name (ai-surface M-2, O-1).
   */
  requireOn(ctx: GateContext): void {
    if (!this.isOn) throw notFound('Not Found');
    if (!isHostAllowed(ctx, this.#publicUrl)) throw new ServiceError('forbidden', 'FORBIDDEN', hostNotAllowed);
  }

  /**
   * Counts a call of the token endpoint for a client from one address, before its secret is checked; throws 429 beyond
   * 60 a minute (O-45).
   */
  async admitToken({ id = '' }: ClientCredentials, { ip = '', requestId = '' }: RequestFacts): Promise<void> {
    await this.#traffic.admit({
      category: null,
      limit: { maxCalls: maxTokenCalls, seconds: 60, per: 'ip' },
      caller: undefined,
      graph: undefined,
      isPublic: true,
      ip,
      // The id is as sent and may be long.
      endpoint: `POST /v1/oauth/token ${digestOf(id)}`,
      requestId,
      pass: undefined,
    });
  }
}

/** Tells a host whether users can connect apps, and so whether it shows the page for their consent. */
export interface AppConsent {
  readonly isOn: boolean;
}

export const appConsent = createToken<AppConsent>('mcp.app-consent');

export const authorizationServer = createToken<AuthorizationServer>('mcp.authorization-server');

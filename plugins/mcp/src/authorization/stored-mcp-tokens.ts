import type { AppGrants, Clock, Store } from '@pacioli/core';
import type { GraphChoice } from './graph-choice.ts';
import type { McpTokens, TokenGrant, TokenRefusal } from './mcp-tokens.ts';
import { digestOf, isAccessToken } from './secrets.ts';
import { liveAccess } from './token-rows.ts';

interface TokenServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly grants: AppGrants;
  readonly graphs: GraphChoice;
}

/**
 * Checks access tokens against the store at every request. Nothing is cached, so a revocation in any process is effective
 * at the next request (O-38, O-40).
 */
export class StoredMcpTokens implements McpTokens {
  readonly isOn = true;
  readonly #use: TokenServices;

  constructor(use: TokenServices) {
    this.#use = use;
  }

  async verify(token: string, resource: string): Promise<TokenGrant | TokenRefusal> {
    if (!isAccessToken(token)) return invalidToken;
    const { store, clock, grants, graphs } = this.#use;
    const grant = await store.transaction(
      'kernel',
      async (tx) => {
        const access = await liveAccess(tx, digestOf(token), clock.now());
        if (access === undefined || access.resource !== resource) return undefined;
        return grants.find(tx, access.grantId);
      },
      { readOnly: true },
    );
    if (grant === undefined) return invalidToken;
    // The graph access has a cache of its own, which every change of a role in this process clears.
    if ((await graphs.find(grant.caller, grant.graphId)) === undefined) {
      return {
        refused: 'insufficient_scope',
        description: 'You no longer have access to the graph of this connection',
      };
    }
    grants.noteUse(grant);
    return { caller: grant.caller, graphId: grant.graphId, grantId: grant.id };
  }
}

/** The same for all bad tokens, also those of another resource, so that it reveals nothing about them (O-4). */
const invalidToken: TokenRefusal = {
  refused: 'invalid_token',
  description: 'The access token is invalid, expired, revoked or for another resource',
};

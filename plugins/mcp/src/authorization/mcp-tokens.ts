import { type Caller, createToken } from '@pacioli/core';

/** The access that a token grants at the time of a request (ai-surface O-40). */
export interface TokenGrant {
  /** With the credential `oauth` and the id of the grant. */
  readonly caller: Caller;
  /** The graph of the URL or, on `/v1/mcp`, that of the grant. */
  readonly graphId: string;
  readonly grantId: string;
}

/** The refusal of a token: 401 for a bad one or one of another resource, 403 after access to the graph was lost. */
export interface TokenRefusal {
  readonly refused: 'invalid_token' | 'insufficient_scope';
  /** Sent as `error_description`: ASCII, without quotation marks. */
  readonly description: string;
}

/** The access tokens of the MCP endpoints, which no other route accepts (ai-surface O-41). */
export interface McpTokens {
  /** False in a deployment that issues no tokens, so that no challenge sends a client to get one. */
  readonly isOn: boolean;
  /** Checks a token for one resource, the canonical URL of the endpoint (ai-surface O-3, O-40). */
  verify(token: string, resource: string): Promise<TokenGrant | TokenRefusal>;
}

export const mcpTokens = createToken<McpTokens>('mcp.tokens');

/** Accepts no token, in a deployment without an authorization server. */
export const noTokens: McpTokens = {
  isOn: false,
  verify: async () => ({ refused: 'invalid_token', description: 'This deployment issues no access tokens' }),
};

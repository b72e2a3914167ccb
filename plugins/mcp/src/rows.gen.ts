// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface McpAuthorizationCode {
  readonly digest: string;
  readonly client_id: string;
  readonly user_id: string;
  readonly grant_id: string;
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly resource: string;
  readonly scope: string;
  readonly expires_at: Date;
  readonly taken_at: Date | null;
}

export interface McpAuthorizationRequest {
  readonly digest: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly resource: string;
  readonly graph_id: string | null;
  readonly profile: string | null;
  readonly scope: string;
  readonly state: string | null;
  readonly reader_id: string | null;
  readonly expires_at: Date;
}

export interface McpClient {
  readonly id: string;
  readonly kind: 'registered' | 'document';
  readonly name: string;
  readonly uri: string | null;
  readonly logo_uri: string | null;
  readonly redirect_uris: readonly string[];
  readonly auth_method: 'none' | 'client_secret_post' | 'client_secret_basic';
  readonly application_type: 'native' | 'web' | null;
  readonly secret_digest: string | null;
  readonly is_active: boolean;
  readonly registered_from: string | null;
  readonly fresh_until: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

export interface McpToken {
  readonly digest: string;
  readonly family_id: string;
  readonly kind: 'access' | 'refresh';
  readonly scope: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly revoked_at: Date | null;
}

export interface McpTokenFamily {
  readonly id: string;
  readonly code_digest: string;
  readonly client_id: string;
  readonly user_id: string;
  readonly grant_id: string;
  readonly resource: string;
  readonly scope: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
}

export interface McpUsedConfirmation {
  readonly id: string;
  readonly expires_at: Date;
}

/** For `tx.tables<McpTables>()`. */
export interface McpTables {
  readonly mcp_authorization_code: McpAuthorizationCode;
  readonly mcp_authorization_request: McpAuthorizationRequest;
  readonly mcp_client: McpClient;
  readonly mcp_token: McpToken;
  readonly mcp_token_family: McpTokenFamily;
  readonly mcp_used_confirmation: McpUsedConfirmation;
}

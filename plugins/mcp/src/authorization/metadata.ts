import { supportedScopes } from './scopes.ts';

/** Metadata does not depend on the caller and seldom changes (O-1). */
export const metadataHeaders = { 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' } as const;

const documentation = '/docs';

/** The metadata of the authorization server (RFC 8414, O-1). */
export function serverMetadata(issuer: string): Readonly<Record<string, unknown>> {
  const methods = ['none', 'client_secret_post', 'client_secret_basic'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/v1/oauth/authorize`,
    token_endpoint: `${issuer}/v1/oauth/token`,
    registration_endpoint: `${issuer}/v1/oauth/register`,
    revocation_endpoint: `${issuer}/v1/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: supportedScopes,
    service_documentation: `${issuer}${documentation}`,
  };
}

/** The metadata of one MCP endpoint (RFC 9728, O-2). */
export function resourceMetadata(issuer: string, path: string): Readonly<Record<string, unknown>> {
  return {
    resource: `${issuer}${path}`,
    authorization_servers: [issuer],
    scopes_supported: supportedScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Pacioli MCP',
    resource_documentation: `${issuer}${documentation}`,
  };
}

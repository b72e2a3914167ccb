/** The error codes of RFC 6749, 7591, 7009 and 8707 that the server uses. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'temporarily_unavailable'
  | 'too_many_requests'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** A refusal in the format of OAuth. The description says what to do and never contains a secret. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string, options: ErrorOptions = {}) {
    super(description, options);
    this.name = 'OAuthError';
    this.code = code;
  }
}

/** Every client that cannot be used gets this error: unknown, deactivated and expired do not differ (O-13). */
export function unknownClient(cause?: unknown): OAuthError {
  const description = 'This client is not known. Register it, or publish a client metadata document.';
  return new OAuthError('invalid_client', description, { cause });
}

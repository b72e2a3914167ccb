import { ServiceError } from '../errors/service-error.ts';

/** 401 for a request that carries no credential (platform A-2). */
export function authenticationRequired(): ServiceError {
  return unauthenticated('UNAUTHORIZED', 'Authentication required', 'Bearer, ApiKey');
}

/** 401 for a session token that is not accepted (platform A-2). */
export function badToken(message = 'Invalid or expired token', code = 'UNAUTHORIZED'): ServiceError {
  return unauthenticated(code, message, 'Bearer');
}

/** 401 for an API key that is unknown, revoked or expired (platform K-6). */
export function badKey(message = 'Invalid API key'): ServiceError {
  return unauthenticated('UNAUTHORIZED', message, 'ApiKey');
}

/** 403 for a valid API key where a signed-in session is required (platform A-3). */
export function sessionRequired(): ServiceError {
  return new ServiceError('forbidden', 'FORBIDDEN', 'A signed-in session is required');
}

/** 403 for a key that is bound to another graph, or to a graph where the route has none (platform K-3). */
export function outsideKeyScope(): ServiceError {
  return new ServiceError(
    'forbidden',
    'KEY_SCOPE',
    'This API key is bound to one graph and cannot be used here. Use a key without a graph, or sign in.',
  );
}

/** 401 with the challenge that names the accepted credentials. */
export function unauthenticated(code: string, message: string, challenge: string): ServiceError {
  return new ServiceError('unauthenticated', code, message, { headers: { 'WWW-Authenticate': challenge } });
}

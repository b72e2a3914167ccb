import { ServiceError } from '../../errors/service-error.ts';

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

/** 401 after a login that fails, the same for every reason (platform A-21). */
export function badLogin(): ServiceError {
  return unauthenticated('INVALID_CREDENTIALS', 'Invalid email or password', 'Bearer');
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

/** 401 for a sensitive change without exactly one valid proof (platform M-14). */
export function notProven(): ServiceError {
  return unauthenticated('UNAUTHORIZED', 'Re-authentication failed', 'Bearer');
}

/** 400 for an input that violates a rule of accounts. */
export function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}

/** 403 for a sign-in method that this deployment does not offer (platform F-1). */
export function passwordsOff(): ServiceError {
  const message = 'This deployment takes no passwords. Sign in in another way.';
  return new ServiceError('forbidden', 'FEATURE_DISABLED', message);
}

/** 429 for mails that are requested too often; the next one is allowed in `seconds` (platform ). */
export function tooManyMails(seconds: number): ServiceError {
  const message = `Too many messages were asked for. Try again in ${Math.ceil(seconds / 60)} minutes.`;
  return new ServiceError('rate_limited', 'RATE_LIMIT_EXCEEDED', message, { headers: { 'Retry-After': `${seconds}` } });
}

function unauthenticated(code: string, message: string, challenge: string): ServiceError {
  return new ServiceError('unauthenticated', code, message, { headers: { 'WWW-Authenticate': challenge } });
}

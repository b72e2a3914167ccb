import { unauthenticated } from '../../auth/refusals.ts';
import { rateLimited, ServiceError } from '../../errors/service-error.ts';

/** 401 after a login that fails, the same for every reason (platform A-21). */
export function badLogin(): ServiceError {
  return unauthenticated('INVALID_CREDENTIALS', 'Invalid email or password', 'Bearer');
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
  const message = 'Password sign-in is disabled in this deployment. Use another sign-in method.';
  return new ServiceError('forbidden', 'FEATURE_DISABLED', message);
}

/** 429 for mails that are requested too often; the next one is allowed in `seconds` (platform ). */
export function tooManyMails(seconds: number): ServiceError {
  return rateLimited('RATE_LIMIT_EXCEEDED', 'Too many emails were requested.', seconds);
}

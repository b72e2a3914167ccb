import { notFound, ServiceError } from '@pacioli/core';

/** Unknown, expired, answered and foreign requests do not differ (O-22). */
export function expiredRequest(): ServiceError {
  return notFound('Authorization request expired or already answered');
}

/** 400 for a decision that does not fit its request (O-23). */
export function refusedDecision(message: string): ServiceError {
  return new ServiceError('refused', 'GRAPH_MISMATCH', message);
}

/** 401 for a caller who did not sign in, such as one with an API key (O-22). */
export function signInRequired(): ServiceError {
  return new ServiceError('unauthenticated', 'UNAUTHORIZED', 'Sign in to continue', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** 403 for a graph that the user cannot read, whether or not it exists (O-23). */
export function noGraphAccess(): ServiceError {
  return new ServiceError('forbidden', 'FORBIDDEN', 'You do not have access to that graph');
}

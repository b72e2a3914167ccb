import { ServiceError } from '../../errors/service-error.ts';

/** 401 for an invalid mfa token, the same for every reason (platform M-3). */
export function badMfaToken(): ServiceError {
  return unauthenticated('Invalid or expired MFA token');
}

/** 401 for a wrong second factor (platform M-5). */
export function mfaFailed(): ServiceError {
  return unauthenticated('MFA verification failed');
}

/** 401 for a failed passwordless sign-in, the same for every reason (platform M-16). */
export function passkeyLoginFailed(): ServiceError {
  return unauthenticated('Passkey login failed');
}

/** 400 for a browser response that does not create a passkey (platform M-13). */
export function registrationFailed(
  reason: 'challenge_invalid' | 'verification_failed' | 'duplicate_credential',
): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', `Passkey registration failed: ${reason}`);
}

/** 400 for a user without passkeys where one is required (platform M-14). */
export function noPasskeys(): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', 'No passkeys enrolled');
}

/** 409 for a user at the limit of passkeys (platform M-13). */
export function tooManyPasskeys(maxPasskeys: number): ServiceError {
  const message = `You have ${maxPasskeys} passkeys, which is the limit. Remove one first.`;
  return new ServiceError('conflict', 'CONFLICT', message);
}

/** 409 for the last passkey of a user who is required to have one (platform M-17). */
export function lastPasskey(): ServiceError {
  const message = 'This role requires MFA; enroll another passkey before removing this one';
  return new ServiceError('conflict', 'CONFLICT', message);
}

function unauthenticated(message: string): ServiceError {
  return new ServiceError('unauthenticated', 'UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

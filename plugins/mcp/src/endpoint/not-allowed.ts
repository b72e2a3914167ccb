import { ServiceError } from '@pacioli/core';

/** 405 for GET and DELETE: there is no session to listen to or to end (ai-surface M-1). */
export function notAllowed(): ServiceError {
  return new ServiceError('method_not_allowed', 'METHOD_NOT_ALLOWED', 'Send messages with POST.', {
    headers: { Allow: 'POST' },
  });
}

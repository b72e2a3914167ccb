import { networkReason } from './error-message.ts';
import { textField } from './json-fields.ts';
import { type ApiAnswer, ImportError, type LedgerApi } from './ledger-api.ts';
import { writeLimits } from './limits.ts';

const brokenConnectionWaitSeconds = 1;

/**
 * Adds retries to the interface: a request that was rate-limited, met a busy service or lost its connection is sent
 * again with the same idempotency key, up to the limit of attempts. One rate-limited request pauses all of them.
 */
export function withRetries(api: LedgerApi): LedgerApi {
  let pause: Promise<void> = Promise.resolve();
  let hasAnswered = false;
  const send = async (request: () => Promise<ApiAnswer>): Promise<ApiAnswer> => {
    for (let attempt = 1; ; attempt += 1) {
      await pause;
      const answer = await attemptOnce(request);
      if (answer instanceof Error) {
        // Retried only if the service has answered before, because then it may be restarting.
        if (!hasAnswered || attempt >= writeLimits.maxAttempts) {
          const reason = networkReason(answer);
          throw new ImportError(
            `The service at ${api.url} cannot be reached: ${reason}. Check the URL, then run again.`,
          );
        }
        pause = api.wait(brokenConnectionWaitSeconds * 1000);
        continue;
      }
      hasAnswered = true;
      if (!isPassing(answer) || attempt >= writeLimits.maxAttempts) return answer;
      const seconds = Math.min(Math.max(answer.retryAfterSeconds ?? 1, 0), writeLimits.maxRetryWaitSeconds);
      pause = api.wait(seconds * 1000);
    }
  };
  return {
    url: api.url,
    get: (path) => send(() => api.get(path)),
    post: (path, body, idempotencyKey) => send(() => api.post(path, body, idempotencyKey)),
    wait: (milliseconds) => api.wait(milliseconds),
  };
}

/** True for temporary errors. A key in progress belongs to an earlier attempt of this client. */
function isPassing(answer: ApiAnswer): boolean {
  if (answer.status === 429 || answer.status === 503) return true;
  return answer.status === 409 && textField(answer.body, 'code') === 'IDEMPOTENCY_IN_PROGRESS';
}

async function attemptOnce(request: () => Promise<ApiAnswer>): Promise<ApiAnswer | Error> {
  try {
    return await request();
  } catch (error) {
    // fetch reports every broken connection as a TypeError and every timeout as a DOMException.
    if (error instanceof TypeError || error instanceof DOMException) return error;
    throw error;
  }
}

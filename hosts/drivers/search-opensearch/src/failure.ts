import { errors } from '@opensearch-project/opensearch';
import { SearchIndexError } from '@pacioli/core/ports';

/** The error without a cause, because that of the client has the address with its credentials. */
export function failureOf(error: unknown): Error {
  if (error instanceof SearchIndexError || error instanceof RangeError) return error;
  if (error instanceof errors.TimeoutError) return new SearchIndexError('The search cluster did not answer in time.');
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError)
    return new SearchIndexError('The search cluster cannot be reached.');
  if (!(error instanceof errors.ResponseError)) return new SearchIndexError('The search index failed.');
  const { statusCode } = error;
  if (statusCode === 401 || statusCode === 403)
    return new SearchIndexError(`The search cluster refused the user with status ${statusCode}.`);
  return new SearchIndexError(`The search cluster answered with status ${statusCode}: ${typeOf(error)}.`);
}

/** The name of an error of the server, such as `resource_already_exists_exception`. */
export function typeOf(error: unknown): string {
  if (!(error instanceof errors.ResponseError)) return 'none';
  const body: unknown = error.body;
  const reason = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  const type = typeof reason === 'object' && reason !== null && 'type' in reason ? reason.type : undefined;
  return typeof type === 'string' && /^[a-z_]{1,80}$/.test(type) ? type : 'unknown';
}

export const isMissing = (error: unknown): boolean => error instanceof errors.ResponseError && error.statusCode === 404;

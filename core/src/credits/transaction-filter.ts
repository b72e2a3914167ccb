import { isCalendarDate } from '../calendar.ts';
import type { Issue } from '../errors/kinds.ts';
import { validationFailure } from '../errors/to-wire.ts';
import type { TransactionFilter } from './credit-reads.ts';
import type { TransactionType } from './pool-rows.ts';

const types: readonly TransactionType[] = ['allocation', 'consumption', 'bonus', 'refund', 'expiration', 'reservation'];

/** The unchecked query parameters of the list. */
export interface TransactionQuery {
  readonly transaction_type?: string | null;
  readonly operation_type?: string | null;
  readonly start_date?: string | null;
  readonly end_date?: string | null;
  readonly limit?: number;
  readonly offset?: number;
}

const defaultLimit = 100;

/** Checks the rules that the schema does not express; throws a 422 that names every invalid field (platform C-14). */
export function transactionFilter(query: TransactionQuery): TransactionFilter {
  const issues: Issue[] = [];
  const refuse = (field: string, msg: string, type: string): void => {
    issues.push({ loc: ['query', field], msg, type });
  };
  const type = types.find((candidate) => candidate === query.transaction_type);
  if (query.transaction_type != null && type === undefined) {
    refuse('transaction_type', `Must be one of: ${types.join(', ')}`, 'enum');
  }
  for (const field of ['start_date', 'end_date'] as const) {
    const day = query[field];
    if (day != null && !isCalendarDate(day))
      refuse(field, 'Must be a date that exists, as YYYY-MM-DD', 'date_from_datetime_parsing');
  }
  if (issues.length === 0 && query.start_date != null && query.end_date != null && query.start_date > query.end_date) {
    refuse('start_date', 'Must not be after end_date', 'value_error');
  }
  if (issues.length > 0) throw validationFailure(issues);
  return {
    ...(type === undefined ? {} : { type }),
    ...(query.operation_type == null ? {} : { operationType: query.operation_type }),
    ...(query.start_date == null ? {} : { startDate: query.start_date }),
    ...(query.end_date == null ? {} : { endDate: query.end_date }),
    limit: query.limit ?? defaultLimit,
    offset: query.offset ?? 0,
  };
}

import { MetadataProblem } from '../journal/index.ts';
import { boundsOf, isCalendarDate, maxAmount, periodOf, problemOfPostingDate } from '../values/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The month that an obligation covers. */
export interface EntryDueRequest {
  readonly scheduleId: string;
  readonly period: string;
  /** The day of the entry; the last of the month unless given. */
  readonly postingDate: string;
}

/** Reads the metadata of `schedule_entry_due`; throws a MetadataProblem (ledger L-182). */
export function readEntryDue(metadata: Fields): EntryDueRequest {
  const scheduleId = requiredText(metadata, 'schedule_id');
  const start = dateOf(metadata, 'period_start');
  const end = dateOf(metadata, 'period_end');
  const posting = dateOf(metadata, 'posting_date');
  const named = end ?? start ?? posting;
  if (named === null) throw new MetadataProblem('metadata.period_end: the month is required, as its last day.');
  const period = periodOf(named);
  if ([start, end, posting].some((date) => date !== null && periodOf(date) !== period))
    throw new MetadataProblem('metadata: period_start, period_end and posting_date must lie in one month.');
  return { scheduleId, period, postingDate: posting ?? boundsOf(period).end };
}

/** The disposal of an asset as its author requests it. */
export interface DisposalRequest {
  readonly scheduleId: string;
  /** Minor units, not below 0. */
  readonly proceeds: bigint;
  readonly proceedsElementId: string | null;
  readonly gainLossElementId: string | null;
  readonly memo: string | null;
}

/** Reads the metadata of `asset_disposed`; throws a MetadataProblem (ledger L-188). */
export function readDisposal(metadata: Fields): DisposalRequest {
  const proceeds = metadata['proceeds'] ?? 0;
  if (!Number.isSafeInteger(proceeds) || Number(proceeds) < 0)
    throw new MetadataProblem(`metadata.proceeds: must be a whole number of minor units from 0 to ${maxAmount}.`);
  optionalText(metadata, 'reason');
  return {
    scheduleId: requiredText(metadata, 'schedule_id'),
    proceeds: BigInt(Number(proceeds)),
    proceedsElementId: optionalText(metadata, 'proceeds_element_id'),
    gainLossElementId: optionalText(metadata, 'gain_loss_element_id'),
    memo: optionalText(metadata, 'memo'),
  };
}

/** The schedule that the metadata of an event names; throws a MetadataProblem. */
export function readScheduleId(metadata: Fields): string {
  return requiredText(metadata, 'schedule_id');
}

function requiredText(fields: Fields, name: string): string {
  const value = optionalText(fields, name);
  if (value === null) throw new MetadataProblem(`metadata.${name}: is required.`);
  return value;
}

function optionalText(fields: Fields, name: string): string | null {
  const value = fields[name] ?? null;
  if (value !== null && typeof value !== 'string') throw new MetadataProblem(`metadata.${name}: must be text.`);
  return value === '' ? null : value;
}

function dateOf(fields: Fields, name: string): string | null {
  const value = optionalText(fields, name);
  if (value === null) return null;
  const problem = isCalendarDate(value) ? problemOfPostingDate(value) : 'a calendar date YYYY-MM-DD is required.';
  if (problem !== undefined) throw new MetadataProblem(`metadata.${name}: ${problem}`);
  return value;
}

import { problemOfLinks } from './links.ts';
import { long_chars_max, problemOfTexts, short_chars_max } from './text-limits.ts';

/** Days of each month; the last day of February counts. */
const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** What a caller says of the company; null and undefined leave a field as it is. */
export interface EntityChange {
  readonly name?: string | null | undefined;
  readonly fiscal_year_end?: string | null | undefined;
  readonly lei?: string | null | undefined;
  readonly cik?: string | null | undefined;
  readonly uri?: string | null | undefined;
  readonly website?: string | null | undefined;
}

/** What is wrong with a change of the company; undefined when nothing is (ledger L-31). */
export function problemOfEntity(change: EntityChange): string | undefined {
  const { name, fiscal_year_end: end, lei, cik, uri, website, ...others } = change;
  if (name != null && name.trim() === '') return 'name: a company needs a name that is not blank.';
  if (end != null && !isDayOfYear(end))
    return `fiscal_year_end: '${end}' is no day of the year as MM-DD, such as 12-31.`;
  const wrongLei = problemOfLei(lei);
  if (wrongLei !== undefined) return wrongLei;
  if (cik != null && !/^\d{1,10}$/.test(cik)) return 'cik: 1 to 10 digits are needed.';
  return (
    problemOfTexts({ name, ...others }, short_chars_max) ??
    problemOfTexts({ uri, website }, long_chars_max) ??
    // An empty text takes the website away.
    problemOfLinks({ website: website === '' ? null : website })
  );
}

/** What is wrong with the identifier of a legal entity, of the company or of a counterparty; undefined when nothing is. */
export function problemOfLei(lei: string | null | undefined): string | undefined {
  return lei == null || /^[A-Za-z0-9]{20}$/.test(lei) ? undefined : 'lei: 20 letters and digits are needed.';
}

function isDayOfYear(text: string): boolean {
  const [, month, day] = /^(\d{2})-(\d{2})$/.exec(text) ?? [];
  const last = days[Number(month) - 1];
  return last !== undefined && Number(day) >= 1 && Number(day) <= last;
}

/** The number of a filer with its leading zeros. */
export function filerNumber(cik: string): string {
  return cik.padStart(10, '0');
}

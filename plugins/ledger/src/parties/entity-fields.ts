import { monthDayOf } from '@pacioli/core';
import { maxLongChars, maxShortChars, problemOfLinks, problemOfTexts } from '../values/index.ts';

/** The fields of the company to change; null and undefined leave a field as it is. */
export interface EntityChange {
  readonly name?: string | null | undefined;
  readonly fiscal_year_end?: string | null | undefined;
  readonly lei?: string | null | undefined;
  readonly cik?: string | null | undefined;
  readonly uri?: string | null | undefined;
  readonly website?: string | null | undefined;
}

/** Returns the first problem of a change of the company as a sentence, or undefined (ledger L-31). */
export function problemOfEntity(change: EntityChange): string | undefined {
  const { name, fiscal_year_end: end, lei, cik, uri, website, ...others } = change;
  if (name != null && name.trim() === '') return 'name: a company needs a name that is not blank.';
  if (end != null && monthDayOf(end) === undefined)
    return `fiscal_year_end: '${end}' is not a day of the year as MM-DD or MMDD, such as 12-31.`;
  const wrongLei = problemOfLei(lei);
  if (wrongLei !== undefined) return wrongLei;
  if (cik != null && !/^\d{1,10}$/.test(cik)) return 'cik: 1 to 10 digits are required.';
  return (
    problemOfTexts({ name, ...others }, maxShortChars) ??
    problemOfTexts({ uri, website }, maxLongChars) ??
    // Empty text clears the website.
    problemOfLinks({ website: website === '' ? null : website })
  );
}

/** Returns the problem of a legal entity identifier, of the company or of a counterparty, or undefined. */
export function problemOfLei(lei: string | null | undefined): string | undefined {
  return lei == null || /^[A-Za-z0-9]{20}$/.test(lei) ? undefined : 'lei: 20 letters and digits are required.';
}

/** The Central Index Key with its leading zeros. */
function filerNumber(cik: string): string {
  return cik.padStart(10, '0');
}

/** The fields of a change that are stored in a normalized form; absent when not given. */
export function normalizedFields({ cik, fiscal_year_end: end }: EntityChange): Readonly<Record<string, string>> {
  const yearEnd = end == null ? undefined : monthDayOf(end);
  return {
    ...(cik == null ? {} : { cik: filerNumber(cik) }),
    ...(yearEnd === undefined ? {} : { fiscal_year_end: yearEnd }),
  };
}

/** Money, months, instants and texts: exact calculations without a database. */
export { dryRun } from './dry-run.ts';
export { exactMinor } from './exact-minor.ts';
export { utcInstant } from './instants.ts';
export { rowsPerBatch } from './limits.ts';
export { problemOfLinks } from './links.ts';
export { defaultCurrency, isCurrency, majorText, majorUnits, maxAmount, minorDigits } from './money.ts';
export { normalizedText } from './normalized-text.ts';
export { bookPageOf, defaultBookRows, paginationOf } from './page.ts';
export {
  boundsOf,
  type CalendarRequest,
  catchUpSequence,
  daysBetween,
  firstPeriods,
  isCalendarDate,
  maxMonthsFromToday,
  maxPeriods,
  monthsNamed,
  monthsOfDates,
  newestBeyondReach,
  oldestBeyondReach,
  periodOf,
  periodPattern,
  periodsBetween,
  plusDays,
  plusMonths,
  problemOfCalendar,
  problemOfPostingDate,
  problemOfTarget,
} from './periods.ts';
export { majorUnitsOf, utcText } from './projection.ts';
export { requireTextWithinLimit } from './require-text-within-limit.ts';
export { gatherStatistics } from './statistics.ts';
export {
  maxFieldsChars,
  maxLongChars,
  maxShortChars,
  problemOfMetadata,
  problemOfSize,
  problemOfTexts,
} from './text-limits.ts';
export { writeConflict } from './write-conflict.ts';

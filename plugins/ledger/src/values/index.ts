/** Money, months, instants and texts: exact calculations without a database. */
export { boundsOf, daysBetween, isCalendarDate, plusDays, plusMonths } from '@pacioli/core/calendar';
export { dryRun } from './dry-run.ts';
export { exactMinor } from './exact-minor.ts';
export { utcInstant } from './instants.ts';
export { problemOfLinks } from './links.ts';
export { defaultCurrency, isCurrency, majorText, majorUnits, maxAmount, minorDigits } from './money.ts';
export {
  bookPageOf,
  defaultBookRows,
  equal,
  type ListPage,
  listPage,
  onPage,
  paginationOf,
  withOneMore,
} from './page.ts';
export {
  type CalendarRequest,
  catchUpSequence,
  firstPeriods,
  maxMonthsFromToday,
  maxPeriods,
  monthsNamed,
  monthsOfDates,
  newestBeyondReach,
  oldestBeyondReach,
  periodOf,
  periodPattern,
  periodsBetween,
  problemOfCalendar,
  problemOfPostingDate,
  problemOfTarget,
} from './periods.ts';
export { majorUnitsOf, rowsPerBatch, utcText } from './projection.ts';
export { gatherStatistics } from './statistics.ts';
export {
  maxFieldsChars,
  maxLongChars,
  maxShortChars,
  normalizedText,
  problemOfMetadata,
  problemOfSize,
  problemOfTexts,
  requireTextWithinLimit,
} from './texts.ts';
export { writeConflict } from './write-conflict.ts';

/** Money, months and texts: exact calculations, and the few functions that all modules share. */
export { boundsOf, daysBetween, isCalendarDate, plusDays, plusMonths } from '@pacioli/core/calendar';
export type { Actor } from './actor.ts';
export { defaultCurrency, exactMinor, isCurrency, majorText, majorUnits, maxAmount, minorDigits } from './money.ts';
export {
  bookPageOf,
  defaultBookRows,
  equal,
  inOrderOf,
  type ListPage,
  listPage,
  onPage,
  paginationOf,
  withOneMore,
} from './page.ts';
export {
  type CalendarRequest,
  catchUpSequence,
  type DateRange,
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
export { metadataOfStored, storedMetadata } from './stored-metadata.ts';
export {
  maxFieldsChars,
  maxLongChars,
  maxShortChars,
  normalizedText,
  problemOfLinks,
  problemOfMetadata,
  problemOfSize,
  problemOfTexts,
  requireTextWithinLimit,
} from './texts.ts';
export { writeConflict } from './write-conflict.ts';

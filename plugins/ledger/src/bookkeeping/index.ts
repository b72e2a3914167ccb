/** Writing to the books for other plugins. */

export type {
  BookedEntry,
  BookedEvent,
  Bookkeeping,
  BookkeepingAuthor,
  BookkeepingEntry,
  BookkeepingEvent,
  BookkeepingLine,
  BookkeepingPreview,
  BookkeepingReversal,
  BookkeepingSource,
} from './bookkeeping.ts';
export { EventBookkeeping } from './event-bookkeeping.ts';

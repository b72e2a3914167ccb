/** Writing to the books for other plugins. */
export {
  type BookedEntry,
  type BookedEvent,
  type Bookkeeping,
  type BookkeepingAuthor,
  type BookkeepingEntry,
  type BookkeepingEvent,
  type BookkeepingLine,
  type BookkeepingPreview,
  type BookkeepingReversal,
  type BookkeepingSource,
  bookkeepingErrors,
  type EventCategory,
  type PreviewedEntry,
} from './bookkeeping.ts';
export { EventBookkeeping } from './event-bookkeeping.ts';

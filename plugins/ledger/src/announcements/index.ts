/** Business events of the books, for other plugins. */

export { type AnnouncedEntry, BookAnnouncements } from './book-announcements.ts';

/** Business events of the books, for other plugins. */

export { BookAnnouncements, type PostedFact } from './book-announcements.ts';

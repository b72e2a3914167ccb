/** Seeding the library, upgrading it, and each graph's view of it. */
export {
  type AffectedMapping,
  type LibraryUpgradeReport,
  libraryUpgradeReport,
  type PinUpgradeReport,
  type SharedPin,
} from './library-upgrade.ts';
export { type LibraryViews, StoredLibraryViews } from './library-views.ts';
export { seedLibrary } from './seed-library.ts';
export { createShippedLibrary, type ShippedLibrary } from './shipped-library.ts';

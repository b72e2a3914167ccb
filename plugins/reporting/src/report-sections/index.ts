/** Sections of a report in the analytical graph: the reads, and without I/O their map and their tables. */
export {
  blockRow,
  disclosureRows,
  namedSections,
  sectionOfBlock,
  sectionOfTopic,
} from './section-map.ts';
export { sectionPage } from './section-page.ts';
export { readAxes, readSection, readSections, readTexts, readTotals } from './section-reader.ts';

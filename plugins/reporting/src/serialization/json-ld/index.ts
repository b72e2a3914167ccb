/** Reports as JSON-LD: written from a bundle, and read back into one. */
export { writeHolon } from './holon.ts';
export { readJsonLd } from './read-json-ld.ts';
export { arcroles, labelRoles } from './terms.ts';
export { writeJsonLd } from './write-json-ld.ts';

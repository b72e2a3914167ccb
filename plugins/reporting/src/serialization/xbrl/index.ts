/** Reports as XBRL 2.1 report packages. */
export { omittedFromPackage, packageFiles, writeXbrlPackage } from './write-package.ts';

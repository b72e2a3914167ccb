/** Reports as XBRL 2.1 report packages, and their facts as xBRL-JSON. */
export { omittedFromXbrlJson, writeXbrlJson } from './write-json.ts';
export { omittedFromPackage, packageFiles, writeXbrlPackage } from './write-package.ts';

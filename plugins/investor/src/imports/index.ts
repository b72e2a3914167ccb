/** Files of positions: their columns and checks, and the portfolio that is written from them. */
export { columnsHelp } from './columns.ts';
export { maxFileBytes, readPortfolioFile } from './portfolio-file.ts';
export { type ImportedPortfolio, PortfolioImporter } from './portfolio-importer.ts';
export { readTextFile } from './read-text-file.ts';
export { problemLines } from './report-problems.ts';
export { summaryLines } from './summary.ts';

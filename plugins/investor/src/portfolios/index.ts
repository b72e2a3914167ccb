/** Portfolios: their rules and rows, and the blocks in which they are written and read. */
export { BlockReader, type PortfolioHoldings, type PortfolioSums, reportOmitted } from './block-reader.ts';
export { type ChangedPositions, PortfolioEditor } from './portfolio-editor.ts';
export { type PortfolioRow, StoredPortfolios } from './stored-portfolios.ts';

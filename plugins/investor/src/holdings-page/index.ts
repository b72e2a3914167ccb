/** The holdings of a portfolio for people: by issuer and by kind, as a page and as text. */
export { overviewOf } from './held-groups.ts';
export { holdingsView, PortfolioHoldingsResponse } from './holdings-view.ts';
export { pagePolicy, writeHoldingsPage } from './write-page.ts';
export { holdingsLines } from './write-text.ts';

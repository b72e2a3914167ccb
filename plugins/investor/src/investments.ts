/** The composition of the plugin: its modules, built once. */
import { createToken, kernel, type Use } from '@pacioli/core';
import { entities, linkedEntities } from '@pacioli/ledger';
import { config } from './config.ts';
import { PortfolioImporter } from './imports/index.ts';
import { BlockReader, PortfolioEditor, StoredPortfolios } from './portfolios/index.ts';
import { StoredPositions } from './positions/index.ts';
import { Issuers, SecurityBatches, SecurityEditor, StoredSecurities } from './securities/index.ts';
import { instruments, instrumentTerms } from './terms/index.ts';
import { exchangeRates } from './tokens.ts';

export const usedByInvestments = {
  ids: kernel.ids,
  settings: config.token,
  terms: instrumentTerms,
  instruments,
  entities,
  linkedEntities,
  exchangeRates,
};

export function createInvestments(use: Use<typeof usedByInvestments>) {
  const securities = new StoredSecurities(use.ids);
  const portfolios = new StoredPortfolios(use.ids);
  const positions = new StoredPositions(use.ids);
  const issuers = new Issuers(use);
  const rates = use.exchangeRates;
  return {
    securities,
    portfolios,
    positions,
    issuers,
    securityEditor: new SecurityEditor({ ...use, stored: securities, issuers }),
    portfolioEditor: new PortfolioEditor({ portfolios, positions, securities, issuers }),
    importer: new PortfolioImporter({
      ...use,
      securities: new SecurityBatches(use.ids),
      positions,
      portfolios,
      issuers,
    }),
    blocks: new BlockReader({ portfolios, positions, issuers, rates }),
  };
}

export const investments = createToken<ReturnType<typeof createInvestments>>('investor.investments');

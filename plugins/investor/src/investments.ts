/** The composition of the plugin: its modules, built once. */
import { createToken, kernel, type Use } from '@pacioli/core';
import { entities, linkedEntities } from '@pacioli/ledger';
import { config } from './config.ts';
import { Issuers, SecurityEditor, StoredSecurities } from './securities/index.ts';

export const usedByInvestments = { ids: kernel.ids, settings: config.token, entities, linkedEntities };

export function createInvestments(use: Use<typeof usedByInvestments>) {
  const securities = new StoredSecurities(use.ids);
  const issuers = new Issuers(use);
  return {
    securities,
    issuers,
    securityEditor: new SecurityEditor({ stored: securities, issuers, settings: use.settings }),
  };
}

export const investments = createToken<ReturnType<typeof createInvestments>>('investor.investments');

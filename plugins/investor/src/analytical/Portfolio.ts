import { defineNode, sql } from '@pacioli/core';
import type { InvestorPortfolio } from '../rows.gen.ts';
import { rowsPerBatch } from '../values/index.ts';

/** The portfolios of the graph (graphs 6.5). */
export const Portfolio = defineNode('Portfolio', {
  summary: 'A portfolio of an investor.',
  extension: 'investor',
  properties: {
    name: 'STRING',
    description: 'STRING',
    strategy: 'STRING',
    inception_date: 'DATE',
    base_currency: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<PortfolioRow>`
        SELECT id AS identifier, name, description, strategy, inception_date, base_currency
        FROM investor_portfolio ORDER BY id`,
      rowsPerBatch,
    ),
});

type PortfolioRow = Pick<
  InvestorPortfolio,
  'name' | 'description' | 'strategy' | 'inception_date' | 'base_currency'
> & { readonly identifier: InvestorPortfolio['id'] };

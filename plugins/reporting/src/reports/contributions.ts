import { type BlockViewer, blockViewers, factStore, reportFilings } from '@pacioli/blocks';
import { type Contribution, contribute, searchableTexts } from '@pacioli/core';
import { entities } from '@pacioli/ledger';
import { library, structureParts } from '@pacioli/taxonomy';
import { searchableReports } from './report-passages.ts';
import { filedReports } from './report-rows.ts';
import { StatementViewer } from './statement-viewer.ts';

const viewer = {
  services: { facts: factStore, library },
  create: (use: ConstructorParameters<typeof StatementViewer>[0]): Omit<BlockViewer, 'key'> => {
    const statements = new StatementViewer(use);
    return { draw: (tx, subjects) => statements.draw(tx, subjects) };
  },
};

export const contributions: readonly Contribution[] = [
  // Tells the owner of facts which reports are filed, so that their elements and structures stay (taxonomy T-40).
  contribute(reportFilings, 'reporting', { create: () => ({ immutable: filedReports }) }),
  contribute(searchableTexts, 'rpt', {
    services: { facts: factStore, structures: structureParts, entities },
    create: searchableReports,
  }),
  contribute(blockViewers, 'balance_sheet', viewer),
  contribute(blockViewers, 'income_statement', viewer),
  contribute(blockViewers, 'cash_flow_statement', viewer),
  contribute(blockViewers, 'equity_statement', viewer),
  contribute(blockViewers, 'comprehensive_income', viewer),
];

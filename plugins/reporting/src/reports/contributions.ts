import { reportFilings } from '@pacioli/blocks';
import { type Contribution, contribute } from '@pacioli/core';
import { filedReports } from './report-rows.ts';

/** Tells the owner of facts which reports are filed, so that their elements and structures stay (taxonomy T-40). */
export const contributions: readonly Contribution[] = [
  contribute(reportFilings, 'reporting', { create: () => ({ immutable: filedReports }) }),
];

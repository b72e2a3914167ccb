import {
  contribute,
  defineOperation,
  definePlugin,
  type GraphRemovalStep,
  graphRemovalSteps,
  model,
  offeredRepositories,
} from '@pacioli/core';
import { Type } from 'typebox';

/** Graphs for which a final backup was requested. */
export const backedUp: string[] = [];

const plan = (name: string, priceCents: number, creditsMonthly: number) => ({
  plan: name,
  name: name === 'starter' ? 'Starter' : 'Advanced',
  priceCents,
  creditsMonthly,
  features: [],
  rate_limits: {},
});

/** A plugin with a write, a shared repository and a deprovisioning step. */
export default definePlugin({
  name: 'writing',
  title: 'Something to write with',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['billing'],
  operations: [
    defineOperation({
      name: 'touch',
      summary: 'Changes nothing, but requires the right to write.',
      openapi: { id: 'touch', tag: 'tests' },
      mcp: { held: 'Only for tests.' },
      role: 'member',
      input: model('TouchRequest', {}),
      output: model('TouchResponse', { touched: Type.Boolean() }),
      handle: async () => ({ touched: true }),
    }),
  ],
  contributions: [
    contribute(offeredRepositories, 'sec', {
      create: () => ({
        name: 'SEC filings',
        description: 'What companies file.',
        enabled: true,
        plans: [plan('starter', 2_900, 5_000), plan('advanced', 9_900, 17_000)],
      }),
    }),
    contribute<GraphRemovalStep>(graphRemovalSteps, 'final-backup', {
      create: () => ({
        preserve: async ({ id }) => {
          backedUp.push(id);
        },
      }),
    }),
  ],
});

import { definePlugin, provide } from '@pacioli/core';
import { all } from './all.gen.ts';
import { contributions as closedMonths } from './closed-months/index.ts';
import { config } from './config.ts';
import { contributions as forecasts } from './forecasts/index.ts';
import { contributions as reports } from './reports/index.ts';
import { formatContributions } from './serialization/downloads/index.ts';
import { BundleValidator, bundleValidator } from './serialization/shapes/index.ts';

/** Financial statements from the ledger's balances, live and as reports. */
export default definePlugin({
  name: 'reporting',
  title: 'Financial statements and reports',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['blocks', 'ledger', 'taxonomy'],
  config,
  providers: [provide(bundleValidator, { create: () => new BundleValidator(), stop: (validator) => validator.stop() })],
  contributions: [...closedMonths, ...forecasts, ...reports, ...formatContributions],
  // The job that repeats interrupted deliveries finds their graphs.
  tables: { reporting_delivery: { kernelScope: 'read' } },
  migrations: new URL('./migrations/', import.meta.url),
  ...all,
});

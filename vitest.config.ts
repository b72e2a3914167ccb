import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { testFolders } from './scripts/test-files.ts';

/** Workspace packages resolve to their sources, so that a test always sees the code next to it. */
const conditions = ['@pacioli/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: testFolders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'],
    globalSetup: ['scripts/test-environment.ts'],
    setupFiles: ['scripts/fixed-seed.ts', 'scripts/store-of-file.ts', 'scripts/processor-time.ts'],
    // A file names its tags in a comment: `@module-tag sessions`.
    tags: [
      {
        name: 'full-run',
        description: 'Starts whole processes, drives a browser or repeats a law for long: only in `npm run test:all`.',
      },
      {
        name: 'sessions',
        description: 'SQL, locks or sessions decide: it runs on a PostgreSQL server, where callers race.',
      },
      {
        name: 'engines',
        description: 'The graph engine decides: `npm run test:all` runs it on the embedded one and on graph servers.',
      },
      { name: 'drivers', description: 'The suite that every driver of the store passes: both stores in each run.' },
    ],
    // They end a test that hangs. One that takes a second on a quiet machine takes half a minute on a busy one.
    testTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    hookTimeout: 600_000,
    pool: 'forks',
    // One more than there are processors, because some tests wait for a clock.
    maxWorkers: availableParallelism() + 1,
    // A worker evaluates the modules once for all of its files: most of the time went into doing it again for each.
    // A suite therefore leaves nothing behind; continuous integration shuffles the files to show it.
    isolate: false,
    // Files that have not changed are not translated again.
    experimental: { fsModuleCache: true },
  },
});

import { defineConfig } from 'vitest/config';

/** Workspace packages resolve to their sources, so that a test always sees the code beside it. */
const conditions = ['@pacioli/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{benchmarks,core,plugins,hosts,testing,conformance,test,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // A worker evaluates the modules once for all of its files: most of the time went into doing it again for each.
    // A suite therefore leaves nothing behind; continuous integration shuffles the files to show it.
    isolate: false,
  },
});

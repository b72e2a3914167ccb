import { defineConfig } from 'vitest/config';

/** Workspace packages resolve to their sources, so that a test always sees the code beside it. */
const conditions = ['@pacioli/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{core,plugins,hosts,testing,conformance,test,scripts}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});

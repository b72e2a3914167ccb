/** The files that may cite rules, and the document that each folder implements. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Folders in which a rule id needs no document, because the folder implements that document. */
const homes: readonly (readonly [folder: string, document: string])[] = [
  ['core/', 'platform'],
  ['hosts/drivers/embedder-words/', 'ai-surface'],
  ['hosts/drivers/graph-bolt/', 'graphs'],
  ['hosts/drivers/graph-ladybug/', 'graphs'],
  ['hosts/drivers/graph-statements/', 'graphs'],
  ['hosts/drivers/payments-stripe/', 'platform'],
  ['hosts/drivers/search-opensearch/', 'ai-surface'],
  ['hosts/drivers/search-lancedb/', 'ai-surface'],
  ['hosts/koa/', 'platform'],
  ['plugins/billing/', 'platform'],
  ['plugins/mcp/', 'ai-surface'],
  ['plugins/blocks/', 'reporting'],
  ['plugins/connections/', 'ledger'],
  ['plugins/graph/', 'graphs'],
  ['plugins/investor/', 'investor'],
  ['plugins/ledger/', 'ledger'],
  ['plugins/memory/', 'ai-surface'],
  ['plugins/reporting/', 'reporting'],
  ['plugins/search/', 'ai-surface'],
  ['plugins/taxonomy/', 'taxonomy'],
];

const folders = ['.ci', 'benchmarks', 'conformance', 'core', 'docs', 'hosts', 'plugins', 'scripts'];
/** Packages, build output, benchmark results and the output of `npm run gen`. */
const leftOut = /(?:^|\/)(?:node_modules|dist|\.cache|\.venv|results)$|^docs\/reference$/;
/** The tests of these scripts cite rules that do not exist. */
const ownTests = /^scripts\/rules-.*\.test\.ts$/;
const cites = /(?:^|\/)run$|^conformance\/cases\/.*\.json$|\.(?:ts|mts|mjs|cjs|js|sql|md|ya?ml|py|css|html)$/;

export function sourceFiles(root: string): readonly SourceFile[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...top, ...folders.flatMap((folder) => filesBelow(root, folder))]
    .filter((path) => cites.test(path) && !path.endsWith('.gen.ts') && !ownTests.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (leftOut.test(path)) return [];
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}

export function homeOf(path: string): string | undefined {
  const spec = /^docs\/spec\/(.+)\.md$/.exec(path);
  return spec?.[1] ?? homes.find(([folder]) => path.startsWith(folder))?.[1];
}

/** Tests, and the laws, cases and suites that tests run. */
export function isTest(path: string): boolean {
  return /\.test\.ts$|\/test\/.*\.(?:ts|py)$|^conformance\/(?:cases|src\/plugin-suite)\/|\/describe-[^/]+\.ts$/.test(
    path,
  );
}

/**
 * Installs the packages that a command needs. Imports none of them, because `run.mjs` loads it before they exist.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `service` is for a deployment and its build, `development` adds the tools of the tests and the checks. */
const levels = {
  service: {
    purpose: 'the packages of the service',
    words: [
      ...['--prod', '--filter', 'pacioli', '--filter-prod', '@pacioli/standalone...'],
      // Optional peers of the host, which a filter does not follow.
      ...['--filter-prod', '@pacioli/embedder-remote...'],
      ...['--filter-prod', '@pacioli/files-s3...'],
      ...['--filter-prod', '@pacioli/graph-bolt...'],
      ...['--filter-prod', '@pacioli/models-ai-sdk...'],
      ...['--filter-prod', '@pacioli/payments-stripe...'],
      ...['--filter-prod', '@pacioli/search-opensearch...'],
    ],
  },
  development: { purpose: 'the development packages', words: [] },
};

/** Installs the missing packages of a level, and reports them. */
export async function install(root, wanted, { run, say }) {
  const stamp = join(root, 'node_modules', '.cache', 'pacioli', 'installed');
  const packages = fingerprint(root);
  const level = levelToInstall(wanted, packages, readStamp(stamp), hasDevelopmentPackages(root));
  if (level === undefined) return;
  const before = installedPackages(root);
  const startedAtMs = performance.now();
  const { purpose, words } = levels[level];
  say(`Installing ${purpose}${before.length > 0 ? ', those that are missing' : ''} …`);
  // Without a stamp, the next command repeats an interrupted installation.
  rmSync(stamp, { force: true });
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const code = await run('npx', [
    '--yes',
    packageManager,
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--reporter=append-only',
    ...words,
  ]);
  if (code !== 0)
    throw new Error(
      'The packages could not be installed. See the output above, fix the cause and run the command again.',
    );
  const added = installedPackages(root).filter((folder) => !before.includes(folder));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify({ packages, level }));
  say(`Installed ${purpose}: ${summary(added, performance.now() - startedAtMs)}.`);
}

/**
 * Returns the level to install, or undefined if everything is installed. Installed development packages are kept:
 * otherwise a developer would download them again after each start.
 */
export function levelToInstall(wanted, packages, stamp, hasDevelopment) {
  const isCurrent = stamp?.packages === packages;
  if (isCurrent && (stamp.level === wanted || stamp.level === 'development')) return undefined;
  return stamp?.level === 'development' || hasDevelopment ? 'development' : wanted;
}

/** Changes with the packages to install and the version of Node. */
function fingerprint(root) {
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'));
  return createHash('sha256').update(lockfile).update(process.version).digest('hex');
}

/** An unreadable stamp is from an older version or an interrupted run. */
function readStamp(stamp) {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Reads the package manager's own record, for installations without this script. */
function hasDevelopmentPackages(root) {
  const record = join(root, 'node_modules', '.modules.yaml');
  return existsSync(record) && /"?devDependencies"?: true/.test(readFileSync(record, 'utf8'));
}

function installedPackages(root) {
  const folder = join(root, 'node_modules', '.pnpm');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => join(folder, entry.name));
}

function summary(folders, tookMs) {
  const seen = new Set();
  const sizeBytes = folders.reduce((sum, folder) => sum + sizeOf(folder, seen), 0);
  const count = `${folders.length} ${folders.length === 1 ? 'package' : 'packages'}`;
  const what = folders.length === 0 ? 'nothing was missing' : `${count}, ${Math.ceil(sizeBytes / 1e6)} MB`;
  return `${what}, in ${Math.ceil(tookMs / 1000)} s`;
}

/** Does not follow links, and counts hard-linked files once. */
function sizeOf(folder, seen) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(path, seen);
    if (!entry.isFile()) return sum;
    const { dev, ino, size } = statSync(path, { bigint: true });
    const file = `${dev}:${ino}`;
    if (seen.has(file)) return sum;
    seen.add(file);
    return sum + Number(size);
  }, 0);
}

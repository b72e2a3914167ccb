/**
 * Goal: built packages load from ES modules and from CommonJS, on every supported version of Node. Method: a program of
 * each kind keeps books in memory and answers one request; the other versions come from npm.
 *
 * @module-tag full-run
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const programs = { 'an ES module': 'from-esm.mjs', CommonJS: 'from-commonjs.cjs' };
/** By major version, from the npm package `node`. */
const otherVersions = { 22: '22.23.3', 24: '24.9.0' };
const [ownMajor = ''] = process.versions.node.split('.');

const commands: readonly (readonly [string, readonly string[]])[] = [
  [ownMajor, [process.execPath]],
  ...Object.entries(otherVersions)
    .filter(([major]) => major !== ownMajor)
    .map(([major, version]) => [major, ['npx', '--yes', '--package', `node@${version}`, '--', 'node']] as const),
];

const maxMs = 240_000;

describe.each(commands)('on Node %s, built packages', (major, [command = '', ...words]) => {
  it.each(Object.entries(programs))('load from %s', { timeout: maxMs }, async (_kind, program) => {
    const path = fileURLToPath(new URL(`./programs/${program}`, import.meta.url));
    const { stdout } = await run(command, [...words, path], { timeout: maxMs });
    expect(JSON.parse(stdout)).toEqual({ node: major, http: 200, status: 'healthy' });
  });
});

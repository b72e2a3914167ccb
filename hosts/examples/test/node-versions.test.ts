/**
 * Goal: built packages load from ES modules and from CommonJS, on every supported version of Node. Method: a program of
 * each kind keeps books in memory and answers one request; the other versions come from npm.
 *
 * @module-tag full-run
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const programs = { 'an ES module': 'from-esm.mjs', CommonJS: 'from-commonjs.cjs' };
const [ownMajor = ''] = process.versions.node.split('.');

interface Case {
  readonly major: string;
  readonly kind: keyof typeof programs;
  readonly command: readonly [string, ...string[]];
}

/** A version of the npm package `node`. */
const fromNpm = (version: string): Case['command'] => ['npx', '--yes', '--package', `node@${version}`, '--', 'node'];

/** All other tests load them from ES modules on this version. */
const cases: readonly Case[] = [
  { major: ownMajor, kind: 'CommonJS', command: [process.execPath] },
  { major: '22', kind: 'CommonJS', command: fromNpm('22.23.3') },
  { major: '24', kind: 'an ES module', command: fromNpm('24.9.0') },
];

const maxMs = 240_000;

it.each(cases)('built packages load from $kind on Node $major', { timeout: maxMs }, async (each) => {
  const [command, ...words] = each.command;
  const path = fileURLToPath(new URL(`./programs/${programs[each.kind]}`, import.meta.url));
  const { stdout } = await run(command, [...words, path], { timeout: maxMs });
  expect(JSON.parse(stdout)).toEqual({ node: each.major, http: 200, status: 'healthy' });
});

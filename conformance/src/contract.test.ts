import { describe, expect, it } from 'vitest';
import { compareWithContract, parseAdditions, readContract } from './contract.ts';
import { operationsOf } from './diff-openapi.ts';
import { isObject } from './json.ts';
import { readPackageFile } from './package-files.ts';

const contract = readContract();

/** Finds texts of more than one word under a key, with their locations. */
function proseIn(value: unknown, place: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => proseIn(item, `${place}.${index}`));
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => proseIn(item, `${place}.${key}`));
  return typeof value === 'string' && value.trim().includes(' ') ? [place] : [];
}

describe('contract', () => {
  it('contains no prose except its title', () => {
    expect(proseIn(contract.openapi, '')).toEqual(['.info.title']);
    expect(contract.sdl).not.toMatch(/"""|#/);
  });

  it('lists the same operations in its table and in its document', () => {
    const rows = readPackageFile('contract/operations.tsv').trim().split('\n').slice(1);
    const table = rows.map((row) => row.split('\t')).map(([tag, id, method, path]) => `${tag} ${id} ${method} ${path}`);
    const document = operationsOf(contract.openapi).map(
      ({ tag, definition, method, path }) => `${tag} ${definition['operationId']} ${method} ${path}`,
    );
    expect(document.sort()).toEqual(table.sort());
  });

  it('has no differences from itself', () => {
    expect(compareWithContract(contract, { openapi: contract.openapi, sdl: contract.sdl }).differences).toEqual([]);
  });
});

describe('parseAdditions', () => {
  it('reads groups of places with a reason, and rejects a group without one', () => {
    expect(parseAdditions('- reason: Probes.\n  places: [operation GET /livez]')).toEqual(['operation GET /livez']);
    expect(parseAdditions('')).toEqual([]);
    expect(() => parseAdditions('- places: [operation GET /livez]')).toThrow('needs a reason');
    expect(() => parseAdditions('reason: none')).toThrow('a list of groups');
  });

  it('allows listed places, but only as additions', () => {
    const served = structuredClone(contract.openapi);
    if (!isObject(served) || !isObject(served['paths'])) throw new Error('The contract has no paths.');
    const { '/v1/status': removed, ...paths } = served['paths'];
    const openapi = { ...served, paths: { ...paths, '/livez': { get: {} }, '/other': { get: {} } } };
    expect(removed).toBeDefined();
    const found = compareWithContract(contract, { openapi, sdl: contract.sdl }).differences;
    expect(found.map(({ kind, where }) => `${kind} ${where}`)).toEqual([
      'missing operation GET /v1/status',
      'added operation GET /other',
    ]);
  });
});

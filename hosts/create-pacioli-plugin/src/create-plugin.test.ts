import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlugin } from './create-plugin.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pacioli-create-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe('createPlugin', () => {
  it('names the plugin, its tables and their types after it (platform H-8)', async () => {
    const folder = await createPlugin('expense-claims', join(parent, 'expense-claims'));
    const textOf = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
    expect(await textOf('src/plugin.ts')).toContain("name: 'expense-claims',\n  title: 'Expense claims',");
    expect(await textOf('src/migrations/0001-watchlist.sql')).toContain('CREATE TABLE expense_claims_security (');
    expect(await textOf('src/rows.gen.ts')).toContain('readonly expense_claims_security: ExpenseClaimsSecurity;');
    expect(await textOf('src/store/stored-watchlist.ts')).toContain('tx.tables<ExpenseClaimsTables>()');
    expect(await textOf('src/events/security-watched.ts')).toContain("'expense-claims.security-watched'");
    expect(await textOf('test/watchlist.test.ts')).toContain('/extensions/expense-claims/');
  });

  it('writes a package without anything of this workspace (platform H-8)', async () => {
    const folder = await createPlugin('expense-claims', join(parent, 'deep', 'folder'));
    const manifest = await readFile(join(folder, 'package.json'), 'utf8');
    expect(manifest).toContain('"name": "pacioli-plugin-expense-claims"');
    expect(manifest).not.toMatch(/workspace:|catalog:|@pacioli\/source|"private"/);
    expect(await readdir(folder)).toContain('.gitignore');
    // Or its installation would be reported to the maker of a package.
    expect(JSON.parse(manifest)).toMatchObject({ scarfSettings: { enabled: false } });
  });

  it('takes an empty folder, and leaves one with files as it is (platform H-8)', async () => {
    await mkdir(join(parent, 'empty'));
    expect(await createPlugin('loans', join(parent, 'empty'))).toBe(join(parent, 'empty'));
    await mkdir(join(parent, 'full'));
    await writeFile(join(parent, 'full', 'notes.txt'), 'mine');
    await expect(createPlugin('loans', join(parent, 'full'))).rejects.toThrow('full is not empty.');
    await expect(createPlugin('loans', join(parent, 'full', 'notes.txt'))).rejects.toThrow('notes.txt is a file.');
    await expect(createPlugin('loans', '/proc/loans')).rejects.toThrow('/proc/loans cannot be created');
    expect(await readdir(join(parent, 'full'))).toEqual(['notes.txt']);
    expect((await readdir(parent)).sort()).toEqual(['empty', 'full']);
  });

  it.each([
    ['Loans', '"Loans" cannot be the name of a plugin. Use lower-case letters'],
    ['a--b', 'cannot be the name of a plugin'],
    ['2nd', 'beginning with a letter'],
    ['../up', 'cannot be the name of a plugin'],
    ['', 'cannot be the name of a plugin'],
    ['a'.repeat(31), 'has 31 characters; at most 30 are allowed'],
    ['ledger', '"ledger" is the name of a part of Pacioli. Choose another one, such as my-ledger.'],
  ])('refuses the name %j (platform H-8)', async (name, reason) => {
    await expect(createPlugin(name, join(parent, 'refused'))).rejects.toThrow(reason);
    expect(existsSync(join(parent, 'refused'))).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { tableOwners } from './table-owners.ts';

it('gives a name to the plugin with the longest name that it begins with', () => {
  const owners = tableOwners(['close', 'close-tools', 'ledger']);
  const names = ['close_run', 'close_tools_run', 'ledger_entry', 'ledgers', 'customers'];
  expect(names.map(owners.ownerOf)).toEqual(['close', 'close-tools', 'ledger', undefined, undefined]);
});

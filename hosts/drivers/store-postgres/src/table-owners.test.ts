import { expect, it } from 'vitest';
import { tableOwners } from './table-owners.ts';

it('assigns a table name to the plugin with the longest matching prefix', () => {
  const owners = tableOwners(['close', 'close-tools', 'ledger']);
  const names = ['close_run', 'close_tools_run', 'ledger_entry', 'ledgers', 'customers'];
  expect(names.map(owners.ownerOf)).toEqual(['close', 'close-tools', 'ledger', undefined, undefined]);
});

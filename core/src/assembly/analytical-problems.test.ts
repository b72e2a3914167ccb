import { describe, expect, it } from 'vitest';
import { plugin, problemsOf } from '../../test/set-fixture.ts';
import { defineNode, defineRelationship } from '../store/analytical.ts';

const account = defineNode('Account', {});
const claim = defineNode('Claim', {});
const books = plugin('books', { nodes: [account] });
const joins = [defineRelationship('CLAIM_ON_ACCOUNT', claim, account)];

describe('analytical relationships of a set', () => {
  it('join nodes of their plugin and of those in dependsOn', () => {
    const claims = plugin('claims', { dependsOn: ['books'], nodes: [claim], relationships: joins });
    expect(problemsOf([claims, books])).toEqual([]);
  });

  it('join no others, which a materialization would leave out (platform X-17)', () => {
    expect(problemsOf([books, plugin('claims', { relationships: joins })])).toEqual([
      'relationship "CLAIM_ON_ACCOUNT" of claims joins "Claim", which is not in the nodes of a plugin of the set',
      `relationship "CLAIM_ON_ACCOUNT" of claims joins "Account" of books without dependsOn: ['books']`,
    ]);
    expect(problemsOf([plugin('claims', { dependsOn: ['books'], nodes: [claim], relationships: joins })])).toEqual([
      'claims needs the plugin "books", which is not enabled\n' +
        '  - relationship "CLAIM_ON_ACCOUNT" of claims joins "Account", which is not in the nodes of a plugin of the set',
    ]);
  });
});

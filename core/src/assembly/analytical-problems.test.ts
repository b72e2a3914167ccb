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

describe('analytical properties of a set', () => {
  it('have one type for each name, in all nodes and in all relationships (graphs CS-6a)', () => {
    const invoice = defineNode('Invoice', { properties: { amount: 'DOUBLE' } });
    const count = defineNode('Count', { properties: { amount: 'INT64' } });
    const link = defineRelationship('INVOICE_HAS_COUNT', invoice, count, { properties: { amount: 'STRING' } });
    expect(problemsOf([plugin('books', { nodes: [invoice], relationships: [] })])).toEqual([]);
    expect(problemsOf([plugin('books', { nodes: [invoice, count], relationships: [link] })])).toEqual([
      "Property 'amount' is DOUBLE in 'Invoice' and INT64 in 'Count': use one type or two names",
    ]);
  });
});

import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { plugin, problemsOf } from '../../test/set-fixture.ts';
import { createToken } from '../container/token.ts';
import { defineField } from '../define/field.ts';
import type { Plugin } from '../define/plugin.ts';
import { defineQuery } from '../define/query.ts';
import { model, nullable } from '../schema/model.ts';

const account = model('Account', {
  id: Type.String({ graphql: { type: 'ID' } }),
  code: nullable(Type.String()),
  opened_on: Type.Optional(Type.String()),
  lines: Type.Array(model('Line', { amount: Type.Integer() })),
});
const accounts = defineQuery({
  name: 'accounts',
  summary: 'The accounts.',
  args: model('AccountsArgs', { code: Type.Optional(Type.String()) }),
  returns: nullable(Type.Array(account)),
  resolve: async () => [],
});
const books = plugin('books', { domain: 'books', queries: [accounts] });

/** A field without content. */
function field(on: string, name: string, parts: Partial<Parameters<typeof defineField>[0]> = {}) {
  return defineField({
    on,
    name,
    summary: 'A field.',
    returns: Type.Integer(),
    resolve: async () => [],
    ...parts,
  } as Parameters<typeof defineField>[0]); // The parts are those of one field.
}

function problemsWith(...fields: Plugin['fields']): readonly string[] {
  return problemsOf([books, plugin('claims', { dependsOn: ['books'], fields })]);
}

describe('fields of a set', () => {
  it('extend any object type that a query or field returns, also one of their own plugin', () => {
    const claim = model('Claim', { id: Type.String() });
    expect(
      problemsWith(
        field('Account', 'claims', { returns: Type.Array(claim) }),
        field('Line', 'share', { parent: Type.Object({ amount: Type.Integer() }) }),
        field('Claim', 'total'),
      ),
    ).toEqual([]);
  });

  it('need a type of the set, which is no input and not Query (platform X-3a)', () => {
    expect(problemsWith(field('Acount', 'claims'), field('AccountsArgs', 'claims'), field('Query', 'claims'))).toEqual([
      'field "Acount.claims" of claims extends the type "Acount", which no query of the set returns',
      'field "AccountsArgs.claims" of claims extends the type "AccountsArgs", which no query of the set returns',
      'field "Query.claims" of claims extends the type "Query": define it with defineQuery',
    ]);
  });

  it('follow from the plugin of their type if that is not enabled', () => {
    const claims = plugin('claims', { dependsOn: ['books'], fields: [field('Account', 'claims')] });
    expect(problemsOf([claims])).toEqual([
      'claims needs the plugin "books", which is not enabled\n' +
        '  - field "Account.claims" of claims extends the type "Account", which no query of the set returns',
    ]);
  });

  it('need the plugin of their type in dependsOn', () => {
    expect(problemsOf([books, plugin('claims', { fields: [field('Account', 'claims')] })])).toEqual([
      `field "Account.claims" of claims extends a type of books without dependsOn: ['books']`,
    ]);
  });

  it('may not exist on the type, or be added twice', () => {
    expect(problemsWith(field('Account', 'openedOn'), field('Account', 'Claims'))).toEqual([
      'field "Claims" of claims is not camelCase, such as "fiscalCalendar"',
      'field "Account.openedOn" of claims already exists on the type of books',
    ]);
    const others = ['claims', 'trips'].map((name) =>
      plugin(name, { dependsOn: ['books'], fields: [field('Account', 'total')] }),
    );
    expect(problemsOf([books, ...others])).toEqual(['field "Account.total" is contributed by claims and trips']);
  });

  it('read fields of the parent as its type has them', () => {
    const parent = Type.Object({ code: Type.String(), opened_on: nullable(Type.String()), name: Type.String() });
    expect(problemsWith(field('Account', 'claims', { parent }), field('Line', 'share'))).toEqual([
      'field "Account.claims" of claims reads "code" of its parent as String!, but Account has String',
      'field "Account.claims" of claims reads "name" of its parent as String!, but Account has no "name"',
      'field "Line.share" of claims reads "id" of its parent as String!, but Line has no "id"',
    ]);
  });

  it('have services of plugins in dependsOn, arguments that are no objects, and models of one form', () => {
    const balances = createToken<string>('balances.all');
    const args = model('ClaimsArgs', { filter: model('Filter', { code: Type.String() }) });
    const returns = model('Line', { id: Type.String() });
    expect(problemsWith(field('Account', 'claims', { args, returns, services: { balances } }))).toEqual([
      'field "Account.claims" of claims needs the service "balances.all", which no plugin provides',
      'the GraphQL type "Line" of claims differs from the one of books',
      'the argument "filter" of field "Account.claims" is an object, which cannot be an input of GraphQL; use one argument for each field, or openObject()',
    ]);
  });

  it('are made with defineField', () => {
    const made = { ...field('Account', 'claims'), kind: 'query' } as unknown as Plugin['fields'][number];
    expect(problemsWith(made)).toEqual(['fields[0] of claims is not made with defineField']);
  });
});

import { describe, expect, it } from 'vitest';
import { refuseSensitiveNames } from './sensitive-statement.ts';

const run = (text: string, parameters = {}) => refuseSensitiveNames({ text, parameters });

describe('a statement of a tool', () => {
  it.each([
    'MATCH (e:Entity) RETURN e.tax_id AS x',
    'MATCH (e:Entity) RETURN [e.tax_id]',
    'MATCH (e:Entity) RETURN {a: e.TAX_ID}',
    'MATCH (e:Entity) RETURN substring(e.tax_id, 0, 4)',
    'MATCH (e:Entity) WITH e.tax_id AS tax_id RETURN tax_id AS x',
    "MATCH (e:Entity) WHERE e.tax_id STARTS WITH '1' RETURN e.name",
    'MATCH (e:Entity {ein: $x}) RETURN e.name',
    'MATCH (e:Entity) RETURN e.`tax id` AS x',
    'MATCH (e:Entity) RETURN e.`\\u0074ax_id` AS x',
    'MATCH (e:Entity) RETURN e.`t\\u0061x_id` AS x',
    "MATCH (e:Entity) RETURN e['tax_id'] AS x // it's",
    "MATCH (e:Entity) RETURN properties(nodes(p), 'account number')",
  ])('is refused if it is %s (ai-surface PX-10)', (text) => {
    expect(() => run(text)).toThrow(/Return the whole node/);
  });

  it('is refused if a parameter names such a property (ai-surface PX-10)', () => {
    for (const parameters of [{ k: 'tax_id' }, { k: { l: ['accountNo'] } }])
      expect(() => run('MATCH (e) RETURN e[$k]', parameters)).toThrow(/Return the whole node/);
  });

  it.each([
    'MATCH (e:Entity) RETURN e',
    'MATCH (account:Account) RETURN account.number',
    "MATCH (e:Entity) WHERE e.name = 'Tax office' RETURN e.name, properties(e)",
    'MATCH (e:Element) WHERE e.qname CONTAINS "IncomeTax" RETURN e.qname',
  ])('is run if it is %s (ai-surface PX-10)', (text) => {
    expect(() => run(text, { text: 'Pay to IBAN DE89' })).not.toThrow();
  });
});

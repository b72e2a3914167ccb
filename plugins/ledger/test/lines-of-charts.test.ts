// Goal: no amount of a company with a shipped chart is missing from a statement, whichever style the company chooses.
// Method: the concepts of each chart are looked up in the shipped styles of its legal form, without a service.
import type { Provider, Token } from '@pacioli/core';
import taxonomy, { library, statementStructures } from '@pacioli/taxonomy';
import { describe, expect, it } from 'vitest';
import { templateFiles } from '../src/accounts/template-files.ts';
import { type LegalForm, templateAccounts, templateKeys } from '../src/accounts/templates.ts';

/** Creates a service that needs no database from the list of its plugin. */
function make<T>(token: Token<T>): T {
  const provider = taxonomy.providers.find((each: Provider) => each.token.key === token.key);
  if (provider === undefined) throw new Error(`The taxonomy plugin does not provide ${token.id}.`);
  const use = Object.fromEntries(Object.entries(provider.services).map(([name, used]) => [name, make(used)]));
  return provider.create(use) as T; // A provider creates the type of its token.
}

const statements = make(statementStructures);
const elements = new Map(make(library).elements.map((element) => [element.qname, element]));

/** The part of the code of a style that tells the equity of the legal form. */
const equityOf: Readonly<Record<LegalForm, string>> = {
  corporation: 'CORP',
  nonprofit: 'LLC',
  partnership: 'PART',
  llc: 'LLC',
};
const forms: readonly LegalForm[] = ['corporation', 'llc', 'partnership'];
const pairs = templateKeys.flatMap((key) =>
  (key === 'nonprofit' ? (['nonprofit'] as const) : forms).flatMap((form) =>
    statements.styles
      .filter(({ code }) => code.split('-')[1] === equityOf[form])
      .map(({ code }) => [key, form, code] as const),
  ),
);

/** The concepts of a chart that no statement of the style shows, or for balances not its balance sheet. */
function conceptsWithoutLine(key: (typeof templateKeys)[number], form: LegalForm, code: string): readonly string[] {
  const style = statements.ofStyle(code);
  if (style === undefined) throw new Error(`There is no style ${code}.`);
  const files = templateFiles(key);
  const concepts = templateAccounts(files.template, files.equity, form).flatMap(({ concept }) => concept ?? []);
  const { balanceSheet, incomeStatement, cashFlowStatement, equityStatement, comprehensiveIncome } = style;
  const balances = new Set(balanceSheet.rows.map(({ qname }) => qname));
  const others = [incomeStatement, cashFlowStatement, equityStatement, comprehensiveIncome];
  const flows = new Set(others.flatMap(({ rows }) => rows.map(({ qname }) => qname)));
  return [...new Set(concepts)].filter((concept) => {
    const qname = `rs-gaap:${concept}`;
    // A concept that this style sums from others is a line itself (reporting S-32).
    const line = style.leafOf(qname)?.qname ?? qname;
    return !balances.has(line) && (elements.get(qname)?.periodType === 'instant' || !flows.has(line));
  });
}

describe('the chart templates', () => {
  it.each(pairs)('%s for %s has a line for each concept in the style %s (taxonomy M-9)', (key, form, code) => {
    expect(conceptsWithoutLine(key, form, code)).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runImport } from '@pacioli/import-beancount';
import type { TestClient } from '@pacioli/testing';
import { loadJournal } from '../../import-beancount/src/load-journal.ts';
import { planImport } from '../../import-beancount/src/plan.ts';
import { examples } from '../../import-beancount/test/bean-query.ts';
import { demoEvents } from '../src/demo/company.ts';
import { seedDemo } from '../src/demo/seed-demo.ts';

/** One line of a journal; debits are positive. */
export interface JournalLine {
  readonly date: string;
  /** The code of the account in the service. */
  readonly account: string;
  readonly cents: bigint;
}

/** Books in a service, whose accounts may lack a mapping. */
export interface ImportedBook {
  readonly user: TestClient;
  readonly graph: string;
  readonly mappingId: string;
  /** The lines of the source, read without the service. */
  readonly lines: readonly JournalLine[];
}

/** A book with two years of lines to report. */
export interface RealBook {
  readonly name: string;
  readonly firstYear: number;
  /** True if securities are the only assets besides cash, and all of them are traded for cash. */
  readonly tradesOnlySecurities: boolean;
  import(place: {
    readonly url: string;
    readonly anonymous: TestClient;
    readonly folder: string;
  }): Promise<ImportedBook>;
}

/** The concepts that a user gives accounts by their names; the first pattern that fits an account wins. */
const choices: readonly (readonly [RegExp, string])[] = [
  [/^Assets:.*(:RSURefund|AccountsReceivable)/, 'AccountsReceivableNetCurrent'],
  [/^Assets:.*(Checking|Savings|Bank|BofA|Cash)$/, 'CashAndCashEquivalentsAtCarryingValue'],
  [/^Assets:US:(Vanguard|Federal)/, 'MarketableSecuritiesNoncurrent'],
  [/^Assets:/, 'MarketableSecuritiesCurrent'],
  [/^Liabilities:.*Loan$/, 'LongTermDebtNoncurrent'],
  [/^Liabilities:/, 'AccountsPayableCurrent'],
  [/^Equity:/, 'CommonStockValue'],
  [/^Income:.*Gains$/, 'GainLossOnInvestments'],
  [/^Income:/, 'RevenueFromContractWithCustomerExcludingAssessedTax'],
  [/^Expenses:Taxes:/, 'IncomeTaxExpenseBenefit'],
  [/^Expenses:/, 'GeneralAndAdministrativeExpense'],
];

/** The concept that a user chooses for an account that the service could not map. */
export function chosenConcept(account: string): string {
  const [, concept] = choices.find(([pattern]) => pattern.test(account)) ?? [];
  if (concept === undefined) throw new Error(`Nobody has chosen a concept for account ${account}.`);
  return concept;
}

/** A journal that the import program reads. */
function journal(
  name: string,
  content: Pick<RealBook, 'firstYear' | 'tradesOnlySecurities'>,
  fileIn: (folder: string) => string,
): RealBook {
  return {
    name,
    ...content,
    import: async ({ url, anonymous, folder }) => {
      const person = { name, email: `${name.replaceAll(/\W+/g, '-')}@example.org`, password: 'Harbour-Lantern-42' };
      const { token } = (await anonymous.post('/v1/auth/register', person)).body;
      const signedIn = anonymous.withHeaders({ authorization: `Bearer ${token}` });
      const apiKey: string = (await signedIn.post('/v1/user/api-keys', { name: 'import' })).body.key;
      const file = fileIn(folder);
      const report = await runImport({ file, url, apiKey, graphName: name });
      if (report.mapping_id === null || report.not_taken.length > 0) throw new Error(JSON.stringify(report));
      const plan = planImport(await loadJournal(file));
      return {
        // A key outlives the clock of the service; a session does not.
        user: anonymous.withHeaders({ 'x-api-key': apiKey }),
        graph: report.graph_id,
        mappingId: report.mapping_id,
        lines: plan.entries.flatMap(({ date, legs }) =>
          legs.map(({ account, amountMinor }) => ({ date, account, cents: amountMinor })),
        ),
      };
    },
  };
}

const demoBook: RealBook = {
  name: 'demo company',
  firstYear: 2024,
  tradesOnlySecurities: false,
  import: async ({ url, anonymous }) => {
    const { apiKey, graphId } = await seedDemo({ url });
    const user = anonymous.withHeaders({ 'x-api-key': apiKey });
    const { body } = await user.graphql(graphId, '{ mappings { structures { id } } }');
    const lines = demoEvents().flatMap(({ date, lines: own }) =>
      own.map(({ code, debitCents, creditCents }) => ({
        date,
        account: code,
        cents: BigInt(debitCents - creditCents),
      })),
    );
    return { user, graph: graphId, mappingId: body.data.mappings.structures[0].id, lines };
  },
};

/** The books that earlier tests import, each with two years of lines to report. */
export const realBooks: readonly RealBook[] = [
  journal('packaged example', { firstYear: 2013, tradesOnlySecurities: true }, () =>
    join(examples, 'example.beancount'),
  ),
  journal('basic example', { firstYear: 2007, tradesOnlySecurities: false }, () =>
    join(examples, 'simple/basic.beancount'),
  ),
  journal('vesting example', { firstYear: 2014, tradesOnlySecurities: true }, () =>
    join(examples, 'vesting/vesting.beancount'),
  ),
  journal('lots and prices', { firstYear: 2020, tradesOnlySecurities: true }, () =>
    join(import.meta.dirname, '../../import-beancount/src/fixtures/lots-and-prices.beancount'),
  ),
  journal('generated journal', { firstYear: 2018, tradesOnlySecurities: true }, (folder) => {
    const file = join(folder, 'generated.beancount');
    const dates = ['--date-begin', '2018-01-01', '--date-end', '2019-12-31'];
    execFileSync('bean-example', ['--seed', '271', ...dates, '-o', file], { stdio: 'ignore' });
    return file;
  }),
  demoBook,
];

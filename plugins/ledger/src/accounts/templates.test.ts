import { describe, expect, it } from 'vitest';
import { templateFiles } from './template-files.ts';
import { formOfTemplate, type LegalForm, legalFormOf, templateAccounts, templateKeys } from './templates.ts';

const naturalSides: Readonly<Record<string, 'debit' | 'credit'>> = {
  asset: 'debit',
  contraAsset: 'credit',
  liability: 'credit',
  equity: 'credit',
  contraEquity: 'debit',
  revenue: 'credit',
  expense: 'debit',
};

/** The gain or loss account, which can have either sign; it is an expense, on the debit side (ledger L-27). */
const twoWayCode = '7200';

/** Accounts that have no concept in the framework yet. */
const unmapped = ['Net assets released from restrictions'];

const forms: readonly LegalForm[] = ['corporation', 'llc', 'partnership'];
const charts = templateKeys.flatMap((key) =>
  (key === 'nonprofit' ? (['nonprofit'] as const) : forms).map((form) => [key, form] as const),
);

function accountsOf(key: (typeof templateKeys)[number], form: LegalForm) {
  const files = templateFiles(key);
  return templateAccounts(files.template, files.equity, form);
}

describe('the chart templates', () => {
  it.each(charts)('%s for %s has unique codes and names, and no shifted cell (ledger L-27)', (key, form) => {
    const accounts = accountsOf(key, form);
    expect(new Set(accounts.map(({ code }) => code)).size).toBe(accounts.length);
    expect(new Set(accounts.map(({ name }) => name)).size).toBe(accounts.length);
    for (const account of accounts) {
      expect(account.code).toMatch(/^\d{4}$/);
      expect(account.name).not.toMatch(/"/);
      expect(account.subClassification).toMatch(/^[a-z_]+$/);
      expect(Object.keys(naturalSides)).toContain(account.trait);
    }
  });

  it.each(charts)('%s for %s has each account on the natural side of its trait (ledger L-27)', (key, form) => {
    for (const account of accountsOf(key, form)) {
      if (account.code === twoWayCode) continue;
      const natural = account.subClassification === 'contra_revenue' ? 'debit' : naturalSides[account.trait];
      expect([account.code, account.balanceType]).toEqual([account.code, natural]);
    }
  });

  it.each(charts)('%s for %s has an account for every core role (ledger 1.3)', (key, form) => {
    const accounts = accountsOf(key, form);
    const has = (trait: string, subClassification: string) =>
      accounts.some((account) => account.trait === trait && account.subClassification === subClassification);
    const roles = {
      cash: has('asset', 'cash'),
      ar: has('asset', 'receivable'),
      prepaid: has('asset', 'prepaid'),
      fixed_asset: has('asset', 'fixed_asset'),
      accum_depr: has('contraAsset', 'fixed_asset'),
      ap: has('liability', 'payable'),
      payroll_liab: accounts.some(({ code }) => code === '2200'),
      retained: accounts.some(({ code, trait }) => code === '3200' && trait === 'equity'),
      revenue: accounts.some(({ trait }) => trait === 'revenue'),
      depr_exp: has('expense', 'depreciation'),
      gain_loss: accounts.some(({ code }) => code === twoWayCode),
    };
    expect(Object.entries(roles).filter(([, present]) => !present)).toEqual([]);
  });

  it.each(charts)('%s for %s has a concept for every account except the listed ones (ledger L-27)', (key, form) => {
    const without = accountsOf(key, form).filter(({ concept }) => concept === null);
    expect(without.map(({ name }) => name).filter((name) => !unmapped.includes(name))).toEqual([]);
  });

  it('have the specified numbers of accounts by legal form (ledger 1.3.1)', () => {
    expect(accountsOf('services', 'corporation')).toHaveLength(47);
    expect(accountsOf('services', 'llc')).toHaveLength(46);
    expect(accountsOf('saas', 'llc').find(({ code }) => code === '2400')).toMatchObject({
      name: 'Deferred revenue, current',
      trait: 'liability',
      balanceType: 'credit',
      concept: 'ContractWithCustomerLiabilityCurrent',
    });
  });

  it('are rejected when a row has the wrong number of cells or an unknown side', () => {
    const header = 'code,name,trait,sub_classification,side,concept\n';
    const equity = 'form,code,name,trait,sub_classification,side,concept';
    const row = '1000,Cash, hidden,asset,cash,D,Cash';
    expect(() => templateAccounts(`${header}${row}`, equity, 'llc')).toThrow('6 columns');
    expect(() => templateAccounts(`${header}1000,Cash,asset,cash,X,Cash`, equity, 'llc')).toThrow('D or C');
  });
});

describe('the legal form of a company', () => {
  it('is recognized in its usual spellings, and is a corporation otherwise (ledger L-21)', () => {
    expect(['Inc.', ' LLC ', 'Limited Liability Company', 'LLP', '501c3', 'guild', null].map(legalFormOf)).toEqual([
      'corporation',
      'llc',
      'llc',
      'partnership',
      'nonprofit',
      'corporation',
      'corporation',
    ]);
  });

  it('is always nonprofit for the nonprofit template (ledger 1.3.4)', () => {
    expect(formOfTemplate('nonprofit', 'inc')).toBe('nonprofit');
    expect(formOfTemplate('cafe', 'llc')).toBe('llc');
  });
});

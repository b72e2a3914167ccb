import { plusDays } from '@pacioli/core/calendar';
import { dayIn, isWithinBooks, lastDayOf, months, seasonOf, years } from './calendar.ts';
import { credit, type DemoEvent, debit, demoEvent, movementOf, share } from './demo-event.ts';

/** Rent is due on the third of each month, a day after the founders' first deposit. */
export function rent(): DemoEvent[] {
  return months.map((month) => {
    const cents = month.year === years[0] ? 380_000 : 395_000;
    const facts = { date: dayIn(month, 3), rule: 'rent', type: 'cash_expense_recorded', category: 'purchase' };
    return demoEvent({ ...facts, description: `Rent for ${month.name}` }, [
      debit('6100', cents, '14 Larkspur Lane'),
      credit('1000', cents, 'Rent'),
    ]);
  });
}

/** Wages are paid on the last day of the month; withheld and employer taxes are due after the quarter. */
export function payroll(): DemoEvent[] {
  const runs = months.map((month) => {
    const staff = month.year === years[0] ? 762_000 : 818_000;
    const helper = month.number >= 5 && month.number <= 8 ? 126_000 + (month.year - years[0]) * 14_000 : 0;
    const gross = staff + helper;
    const withheld = share(gross, 1_810);
    const employer = share(gross, 830);
    const facts = { date: lastDayOf(month), rule: 'payroll', type: 'journal_entry_recorded', category: 'payroll' };
    return demoEvent({ ...facts, description: `Payroll of ${month.name}` }, [
      debit('6000', staff, 'Mechanics and shop staff'),
      debit('6000', helper, 'Summer helper'),
      debit('6050', employer, "Employer's payroll taxes"),
      credit('2200', withheld + employer, 'Withheld and owed'),
      credit('1000', gross - withheld, 'Net pay'),
    ]);
  });
  const payments = months
    .filter((month) => month.number % 3 === 0 && isWithinBooks(plusDays(lastDayOf(month), 15)))
    .map((month) => {
      const from = dayIn({ ...month, number: month.number - 2 }, 1);
      const owed = -movementOf(runs, ['2200'], { from, to: lastDayOf(month) });
      const date = plusDays(lastDayOf(month), 15);
      const facts = { date, rule: 'payroll-taxes', type: 'check_written', category: 'payroll' };
      return demoEvent({ ...facts, description: `Payroll taxes of the quarter to ${month.name}` }, [
        debit('2200', owed, 'Withheld and owed'),
        credit('1000', owed, 'Tax authorities'),
      ]);
    });
  return [...runs, ...payments];
}

/** Small purchases go on the company card, which is paid in full on the 10th of the next month. */
export function companyCard(): DemoEvent[] {
  return months.flatMap((month) => {
    const software = 31_900 + (month.year - years[0]) * 2_600;
    const marketing = share(46_000, seasonOf(month.number));
    const office = 23_400 + ((month.index * 3_170) % 5_900);
    const tradeFair = month.number === 9 ? 71_300 : 0;
    const total = software + marketing + office + tradeFair;
    const facts = { rule: 'card-charges', type: 'credit_card_charge', category: 'purchase' };
    const charge = demoEvent({ ...facts, date: dayIn(month, 20), description: `Company card, ${month.name}` }, [
      debit('6200', software, 'Point of sale and workshop planner'),
      debit('6500', marketing, 'Local advertising'),
      debit('6700', office, 'Phone, internet and supplies'),
      debit('6600', tradeFair, 'Trip to the trade fair'),
      credit('2050', total, 'Company card'),
    ]);
    const date = plusDays(lastDayOf(month), 10);
    if (!isWithinBooks(date)) return [charge];
    const paid = { date, rule: 'card-paid', type: 'check_written', category: 'treasury' };
    const payment = demoEvent({ ...paid, description: `Company card of ${month.name} paid` }, [
      debit('2050', total, 'Company card'),
      credit('1000', total, 'Company card'),
    ]);
    return [charge, payment];
  });
}

function premiumOf(year: number): number {
  return year === years[0] ? 480_000 : 516_000;
}

/** Insurance is prepaid for a year and expensed monthly. */
export function insurance(): DemoEvent[] {
  const premiums = years.map((year) =>
    demoEvent(
      {
        date: `${year}-01-05`,
        rule: 'insurance-paid',
        type: 'check_written',
        category: 'purchase',
        description: `Business insurance for ${year}`,
      },
      [debit('1300', premiumOf(year), 'Twelve months'), credit('1000', premiumOf(year), 'Premium')],
    ),
  );
  const used = months.map((month) => {
    const cents = premiumOf(month.year) / 12;
    const facts = { rule: 'insurance', type: 'journal_entry_recorded', category: 'recognition' };
    return demoEvent({ ...facts, date: lastDayOf(month), description: `Insurance for ${month.name}` }, [
      debit('6300', cents, 'One twelfth of the premium'),
      credit('1300', cents, 'Used up'),
    ]);
  });
  return [...premiums, ...used];
}

const loanCents = 9_000_000;
const principalCents = 150_000;
const monthlyInterestBasisPoints = 55;

/** Equal monthly principal plus interest on the balance; next year's principal is reclassified as current. */
export function loan(): DemoEvent[] {
  const payments = months.slice(1).map((month, paid) => {
    const interest = share(loanCents - paid * principalCents, monthlyInterestBasisPoints);
    const facts = { date: dayIn(month, 28), rule: 'loan-payment', type: 'check_written', category: 'financing' };
    return demoEvent({ ...facts, description: `Loan payment, ${month.name}` }, [
      debit(month.year === years[0] ? '2700' : '2500', principalCents, 'Principal'),
      debit('7100', interest, 'Interest'),
      credit('1000', principalCents + interest, 'Cedar Falls Bank'),
    ]);
  });
  const due = years.map((year) =>
    demoEvent(
      {
        date: `${year}-12-31`,
        rule: 'loan-current-part',
        type: 'journal_entry_recorded',
        category: 'adjustment',
        description: `Part of the loan due in ${year + 1}`,
      },
      [
        debit('2700', 12 * principalCents, 'Due after more than a year'),
        credit('2500', 12 * principalCents, 'Due within a year'),
      ],
    ),
  );
  return [...payments, ...due];
}

/** The accountant prepares the tax return each spring. */
export function accountant(): DemoEvent[] {
  return [
    { date: '2024-11-25', cents: 96_000, description: 'Bookkeeping review by Osgood & Lane' },
    { date: '2025-03-24', cents: 245_000, description: 'Annual accounts and tax return by Osgood & Lane' },
  ].map(({ date, cents, description }) =>
    demoEvent({ date, rule: 'accountant', type: 'cash_expense_recorded', category: 'purchase', description }, [
      debit('6400', cents, 'Osgood & Lane'),
      credit('1000', cents, 'Osgood & Lane'),
    ]),
  );
}

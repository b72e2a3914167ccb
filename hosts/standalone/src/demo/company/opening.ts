import { dayIn, lastDayOf, months } from './calendar.ts';
import { credit, type DemoEvent, debit, demoEvent } from './demo-event.ts';

/** Cost of the repair stand that is sold in the second year; it is depreciated over seven years. */
const soldStandCents = 126_000;
const standMonthsOfLife = 84;
const standSaleMonth = 20;

/** Funding and the first fixed assets of the company. */
export function openingEvents(): DemoEvent[] {
  const financing = { type: 'deposit_received', category: 'financing' };
  const purchase = { type: 'check_written', category: 'purchase' };
  return [
    demoEvent({ ...financing, date: '2024-01-02', rule: 'shares', description: 'Founders subscribe 10,000 shares' }, [
      debit('1000', 6_500_000, 'Paid in by the founders'),
      credit('3000', 1_000_000, '10,000 shares at $1.00 par'),
      credit('3100', 5_500_000, 'Paid in above par'),
    ]),
    demoEvent({ ...financing, date: '2024-01-02', rule: 'loan', description: 'Five-year loan from Cedar Falls Bank' }, [
      debit('1000', 9_000_000, 'Loan paid out'),
      credit('2700', 9_000_000, 'Loan of Cedar Falls Bank'),
    ]),
    demoEvent({ ...purchase, date: '2024-01-03', rule: 'lease-deposit', description: 'Deposit for 14 Larkspur Lane' }, [
      debit('1800', 760_000, 'Two months of rent, held by the landlord'),
      credit('1000', 760_000, 'Deposit'),
    ]),
    demoEvent({ ...purchase, date: '2024-01-03', rule: 'formation', description: 'Incorporation and first advice' }, [
      debit('6400', 185_000, 'Attorney and filing fees'),
      credit('1000', 185_000, 'Attorney and filing fees'),
    ]),
    demoEvent({ ...purchase, date: '2024-01-04', rule: 'fixtures', description: 'Shop fixtures and workshop tools' }, [
      debit('1500', 2_400_000, 'Counters, racks and displays'),
      debit('1500', 1_400_000, 'Workshop benches, stands and tools'),
      credit('1000', 3_800_000, 'Fixtures and tools'),
    ]),
    demoEvent({ ...purchase, date: '2024-01-05', rule: 'fit-out', description: 'Shop and workshop fitted out' }, [
      debit('1530', 1_800_000, 'Floor, lighting and wash bay'),
      credit('1000', 1_800_000, 'Hallett Builders'),
    ]),
    demoEvent({ ...purchase, date: '2024-01-08', rule: 'van', description: 'Used delivery van' }, [
      debit('1520', 2_200_000, 'Delivery van'),
      credit('1000', 2_200_000, 'Delivery van'),
    ]),
    ...creditLine(),
  ];
}

/** A credit line finances the inventory of the first spring and is repaid from summer sales. */
function creditLine(): DemoEvent[] {
  return [
    demoEvent(
      {
        date: '2024-03-04',
        rule: 'credit-line-draw',
        type: 'deposit_received',
        category: 'financing',
        description: 'Seasonal credit line drawn',
      },
      [debit('1000', 1_800_000, 'Drawn'), credit('2500', 1_800_000, 'Credit line of Cedar Falls Bank')],
    ),
    demoEvent(
      {
        date: '2024-08-30',
        rule: 'credit-line-repaid',
        type: 'check_written',
        category: 'financing',
        description: 'Seasonal credit line repaid',
      },
      [
        debit('2500', 1_800_000, 'Credit line of Cedar Falls Bank'),
        debit('7100', 76_500, 'Interest for six months'),
        credit('1000', 1_876_500, 'Paid back'),
      ],
    ),
  ];
}

/** Straight-line depreciation on the last day of each month; the stand is derecognized when it is sold. */
export function fixedAssetEvents(): DemoEvent[] {
  const standCharge = soldStandCents / standMonthsOfLife;
  const depreciation = months.map((month) =>
    demoEvent(
      {
        date: lastDayOf(month),
        rule: 'depreciation',
        type: 'journal_entry_recorded',
        category: 'recognition',
        description: `Depreciation for ${month.name}`,
      },
      depreciationLines(month.index > standSaleMonth ? 3_800_000 - soldStandCents : 3_800_000),
    ),
  );
  const worn = standCharge * (standSaleMonth + 1);
  const sale = months
    .filter((month) => month.index === standSaleMonth + 1)
    .map((month) =>
      demoEvent(
        {
          date: dayIn(month, 9),
          rule: 'stand-sold',
          type: 'journal_entry_recorded',
          category: 'other',
          description: 'Old repair stand sold to a neighbor',
        },
        [
          debit('1000', 70_000, 'Paid for the stand'),
          debit('1590', worn, 'Depreciation of the stand so far'),
          debit('7200', soldStandCents - worn - 70_000, 'Loss on the sale'),
          credit('1500', soldStandCents, 'Cost of the stand'),
        ],
      ),
    );
  return [...depreciation, ...sale];
}

function depreciationLines(fixturesCents: number) {
  const fixtures = Math.round(fixturesCents / standMonthsOfLife);
  const [fitOut, van] = [30_000, 36_667];
  return [
    debit('6900', fixtures, 'Fixtures and tools, seven years'),
    debit('6900', fitOut, 'Fit-out, five years'),
    debit('6900', van, 'Van, five years'),
    credit('1590', fixtures + fitOut + van, 'Depreciation of the month'),
  ];
}

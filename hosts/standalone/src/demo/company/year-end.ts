import { years } from './calendar.ts';
import { credit, type DemoEvent, debit, demoEvent, movementOf, share } from './demo-event.ts';

const incomeTaxBasisPoints = 2_400;
const doubtfulBasisPoints = 500;
const resultCodes = ['4', '5', '6', '7', '8'];

/** Year-end entries that depend on the year's results: dividend, doubtful accounts and income tax. */
export function yearEnd(events: readonly DemoEvent[]): DemoEvent[] {
  const [first, last] = [years[0], years[1]];
  const date = `${last}-12-31`;
  const doubtful = share(movementOf(events, ['1100'], { to: date }), doubtfulBasisPoints);
  const before = [
    dividend(`${last}-12-19`),
    demoEvent(
      {
        date,
        rule: 'doubtful',
        type: 'journal_entry_recorded',
        category: 'adjustment',
        description: 'Allowance for customers who may not pay',
      },
      [debit('7300', doubtful, '5 % of what is owed'), credit('1110', doubtful, 'Allowance')],
    ),
  ];
  const result = (year: number): number =>
    -movementOf([...events, ...before], resultCodes, { from: `${year}-01-01`, to: `${year}-12-31` });
  // The loss of the first year reduces the taxable income of the second.
  const taxed = Math.max(result(last) + Math.min(result(first), 0), 0);
  const tax = share(taxed, incomeTaxBasisPoints);
  const facts = { date, rule: 'income-tax', type: 'journal_entry_recorded', category: 'recognition' };
  return [
    ...before,
    demoEvent({ ...facts, description: `Income tax for ${last}` }, [
      debit('8000', tax, 'On the profit less the loss carried forward'),
      credit('2100', tax, 'Due with the return'),
    ]),
  ];
}

function dividend(date: string): DemoEvent {
  const facts = { date, rule: 'dividend', type: 'check_written', category: 'financing' };
  return demoEvent({ ...facts, description: 'Dividend of $0.40 a share' }, [
    debit('3300', 400_000, '10,000 shares'),
    credit('1000', 400_000, 'Paid to the shareholders'),
  ]);
}

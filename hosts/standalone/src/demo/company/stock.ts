import { plusDays } from '@pacioli/core/calendar';
import { dayIn, isWithinBooks, months, years } from './calendar.ts';
import { credit, type DemoEvent, debit, demoEvent, movementOf, share } from './demo-event.ts';

const openingStockCents = 4_600_000;
const daysToPay = 30;
const suppliers = ['Northfold Cycles', 'Alder & Pike Components', 'Bright River Bicycles'] as const;
const orderMonths = new Set([2, 3, 4, 5, 6, 7, 8, 9, 11, 12]);
/** The shop grows, so each order exceeds the sales since the previous one. */
const replacedBasisPoints = 10_350;

/** The opening inventory, then a replenishment order on the 12th of most months. `sales` must be complete. */
export function stockOrders(sales: readonly DemoEvent[]): DemoEvent[] {
  const orders = months.filter((month) => orderMonths.has(month.number)).map((month) => dayIn(month, 12));
  const first = purchase({ date: '2024-01-08', supplier: suppliers[0], goods: openingStockCents });
  const later = orders.flatMap((date, turn) => {
    const since = orders[turn - 1] ?? '2024-01-08';
    const sold = -movementOf(sales, ['1200'], { from: plusDays(since, 1), to: date });
    const supplier = suppliers[turn % suppliers.length] ?? suppliers[0];
    return purchase({ date, supplier, goods: share(sold, replacedBasisPoints) });
  });
  return [...first, ...later];
}

function purchase(order: { readonly date: string; readonly supplier: string; readonly goods: number }): DemoEvent[] {
  const { date, supplier, goods } = order;
  const freight = share(goods, 190);
  const bill = demoEvent(
    {
      date,
      rule: 'stock-bill',
      type: 'bill_received',
      category: 'purchase',
      description: `Bicycles and parts from ${supplier}`,
    },
    [
      debit('1200', goods, 'Bicycles and parts'),
      debit('5010', freight, 'Inbound freight'),
      credit('2000', goods + freight, supplier),
    ],
  );
  const paid = plusDays(date, daysToPay);
  if (!isWithinBooks(paid)) return [bill];
  const facts = { date: paid, rule: 'stock-paid', type: 'bill_paid', category: 'purchase' };
  const payment = demoEvent({ ...facts, description: `Bill of ${supplier} paid` }, [
    debit('2000', goods + freight, supplier),
    credit('1000', goods + freight, `Bill of ${date}`),
  ]);
  return [bill, payment];
}

/** Inventory is counted twice a year, and each count finds a small shortage. */
export function stockCounts(): DemoEvent[] {
  return years
    .flatMap((year, turn) => [
      { date: `${year}-06-30`, cents: 41_280 + turn * 3_910 },
      { date: `${year}-12-31`, cents: 36_540 + turn * 2_275 },
    ])
    .map(({ date, cents }) =>
      demoEvent(
        {
          date,
          rule: 'stock-count',
          type: 'inventory_adjusted',
          category: 'adjustment',
          description: 'Stock counted',
        },
        [debit('5020', cents, 'Missing or damaged'), credit('1200', cents, 'Written down to the count')],
      ),
    );
}

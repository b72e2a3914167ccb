import { plusDays } from '@pacioli/core/calendar';
import { dayIn, isWithinBooks, lastDayOf, months, seasonOf, weeksFrom, years } from './calendar.ts';
import { credit, type DemoEvent, debit, demoEvent, movementOf, share } from './demo-event.ts';

const salesTaxBasisPoints = 725;
const firstSaturday = '2024-01-13';

/** Average net sales of a week, and the cost of the goods and parts sold. */
const counter = {
  first: { weekCents: 672_000, costBasisPoints: 5_120 },
  second: { weekCents: 768_000, costBasisPoints: 4_960 },
};

/** Weekly sales on Saturdays: sales tax is added, the card fee is deducted, and the goods leave inventory. */
export function counterSales(): DemoEvent[] {
  return weeksFrom(firstSaturday).map((date, week) => {
    const { weekCents, costBasisPoints } = date < `${years[1]}-01-01` ? counter.first : counter.second;
    const mood = ((week * 37) % 21) - 10;
    const net = share(weekCents, seasonOf(Number(date.slice(5, 7))) + mood * 100) + ((week * 1_373) % 997);
    const tax = share(net, salesTaxBasisPoints);
    const fee = share(net + tax, 160);
    const cost = share(net, costBasisPoints);
    return demoEvent(
      {
        date,
        rule: 'counter-sales',
        type: 'sales_receipt_recorded',
        category: 'sales',
        description: `Shop and workshop takings, week to ${date}`,
      },
      [
        debit('1000', net + tax - fee, 'Card and cash takings'),
        debit('5040', fee, 'Card fees'),
        credit('4000', net, 'Bicycles, parts and repairs'),
        credit('2300', tax, 'Sales tax'),
        debit('5000', cost, 'Cost of goods and parts'),
        credit('1200', cost, 'Goods and parts sold'),
      ],
    );
  });
}

const fleetCustomers = ['Tern Harbor Couriers', 'Milldale Parks Department', 'Quarry Street Grocers'] as const;
const fleetMonths = new Set([3, 4, 5, 6, 8, 9, 10, 11, 12]);
const daysToPay = 33;

/** Fleets are serviced on account, are exempt from sales tax, and pay after a month. */
export function fleetInvoices(): DemoEvent[] {
  return months
    .filter((month) => fleetMonths.has(month.number))
    .flatMap((month, turn) => {
      const customer = fleetCustomers[turn % fleetCustomers.length] ?? fleetCustomers[0];
      const date = dayIn(month, 18);
      const paid = plusDays(date, daysToPay);
      const net = 296_500 + ((turn * 41_300) % 128_000) + (month.year - years[0]) * 38_000;
      const cost = share(net, 3_900);
      const invoice = demoEvent(
        {
          date,
          rule: 'fleet-invoice',
          type: 'invoice_issued',
          category: 'sales',
          description: `Fleet service for ${customer}, ${month.name}`,
        },
        [
          debit('1100', net, customer),
          credit('4010', net, 'Fleet bicycles, parts and service'),
          debit('5000', cost, 'Cost of goods and parts'),
          credit('1200', cost, 'Goods and parts used'),
        ],
      );
      if (!isWithinBooks(paid)) return [invoice];
      const facts = { date: paid, rule: 'fleet-payment', type: 'payment_received', category: 'sales' };
      const payment = demoEvent({ ...facts, description: `Payment of ${customer}` }, [
        debit('1000', net, customer),
        credit('1100', net, `Invoice of ${date}`),
      ]);
      return [invoice, payment];
    });
}

/** From the second year on, parts are also sold on a marketplace, which remits the tax and pays a month later. */
export function marketplaceSales(): DemoEvent[] {
  return months
    .filter((month) => month.year === years[1])
    .flatMap((month) => {
      const net = share(215_000, seasonOf(month.number)) + month.number * 431;
      const shipping = share(net, 600);
      const fee = share(net + shipping, 1_200);
      const packaging = share(net, 210);
      const cost = share(net, 5_500);
      const sale = demoEvent(
        {
          date: lastDayOf(month),
          rule: 'marketplace-sales',
          type: 'sales_receipt_recorded',
          category: 'sales',
          description: `Marketplace sales of ${month.name}`,
        },
        [
          debit('1020', net + shipping - fee, 'Held by the marketplace'),
          debit('5040', fee, 'Marketplace fee'),
          credit('4000', net, 'Parts and accessories'),
          credit('4030', shipping, 'Shipping charged'),
          debit('5000', cost, 'Cost of parts'),
          debit('5030', packaging, 'Boxes and labels from stock'),
          credit('1200', cost + packaging, 'Parts and boxes sent'),
        ],
      );
      const paid = plusDays(lastDayOf(month), 8);
      if (!isWithinBooks(paid)) return [sale];
      const facts = { date: paid, rule: 'marketplace-payout', type: 'deposit_received', category: 'treasury' };
      const payout = demoEvent({ ...facts, description: `Payout for ${month.name}` }, [
        debit('1000', net + shipping - fee, 'Paid out by the marketplace'),
        credit('1020', net + shipping - fee, 'Payout'),
      ]);
      return [sale, payout];
    });
}

/** Gift cards are a liability until they are redeemed. */
export function giftCards(): DemoEvent[] {
  const sold = [
    { date: '2024-12-16', cents: 184_000 },
    { date: '2025-12-15', cents: 231_000 },
  ].map(({ date, cents }) =>
    demoEvent(
      {
        date,
        rule: 'gift-cards-sold',
        type: 'deposit_received',
        category: 'sales',
        description: 'Gift cards sold for the holidays',
      },
      [debit('1000', cents, 'Paid for gift cards'), credit('2400', cents, 'Gift cards outstanding')],
    ),
  );
  const redeemed = [
    { date: '2025-02-17', cents: 58_000 },
    { date: '2025-04-14', cents: 79_500 },
  ].map(({ date, cents }) => {
    const cost = share(cents, 5_000);
    return demoEvent(
      {
        date,
        rule: 'gift-cards-redeemed',
        type: 'sales_receipt_recorded',
        category: 'sales',
        description: 'Gift cards redeemed for repairs and parts',
      },
      [
        debit('2400', cents + share(cents, salesTaxBasisPoints), 'Gift cards redeemed'),
        credit('4000', cents, 'Repairs and parts'),
        credit('2300', share(cents, salesTaxBasisPoints), 'Sales tax'),
        debit('5000', cost, 'Cost of parts'),
        credit('1200', cost, 'Parts used'),
      ],
    );
  });
  return [...sold, ...redeemed];
}

/** Returns after the season: price and tax are refunded, and the goods go back into inventory. */
export function customerReturns(): DemoEvent[] {
  return years
    .flatMap((year, turn) => [
      { date: `${year}-07-22`, cents: 92_400 + turn * 8_150 },
      { date: `${year}-11-11`, cents: 61_750 + turn * 5_300 },
    ])
    .map(({ date, cents }) => {
      const tax = share(cents, salesTaxBasisPoints);
      const cost = share(cents, 5_000);
      const facts = { date, rule: 'returns', type: 'journal_entry_recorded', category: 'sales' };
      return demoEvent({ ...facts, description: 'Goods returned by customers' }, [
        debit('4090', cents, 'Goods taken back'),
        debit('2300', tax, 'Sales tax given back'),
        credit('1000', cents + tax, 'Refunded'),
        debit('1200', cost, 'Back in stock'),
        credit('5000', cost, 'Cost of goods taken back'),
      ]);
    });
}

/** The sales tax of a quarter is remitted to the state on the 20th of the following month. */
export function salesTaxPayments(sales: readonly DemoEvent[]): DemoEvent[] {
  return months
    .filter((month) => month.number % 3 === 0 && isWithinBooks(plusDays(lastDayOf(month), 20)))
    .map((month) => {
      const from = dayIn({ ...month, number: month.number - 2 }, 1);
      const collected = -movementOf(sales, ['2300'], { from, to: lastDayOf(month) });
      const date = plusDays(lastDayOf(month), 20);
      const facts = { date, rule: 'sales-tax', type: 'check_written', category: 'treasury' };
      return demoEvent({ ...facts, description: `Sales tax of the quarter to ${month.name}` }, [
        debit('2300', collected, 'Sales tax of the quarter'),
        credit('1000', collected, 'State Department of Revenue'),
      ]);
    });
}

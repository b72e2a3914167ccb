import type { DemoEvent } from './company/demo-event.ts';
import { fixedAssetEvents, openingEvents } from './company/opening.ts';
import { accountant, companyCard, insurance, loan, payroll, rent } from './company/running-costs.ts';
import {
  counterSales,
  customerReturns,
  fleetInvoices,
  giftCards,
  marketplaceSales,
  salesTaxPayments,
} from './company/sales.ts';
import { stockCounts, stockOrders } from './company/stock.ts';
import { yearEnd } from './company/year-end.ts';

/** The demo company; it and its business partners are fictitious. */
export const demoCompany = {
  name: 'Larkspur Cycle Works, Inc.',
  description: 'Demo: a bicycle shop and repair workshop, two years of books',
  uri: 'https://larkspur.example/',
  email: 'demo@larkspur.example',
  currency: 'USD',
  template: 'product',
  entity_type: 'corporation',
  first_month: '2024-01',
  last_day: '2025-12-31',
} as const;

/** The events of the demo company for 2024 and 2025, by date, the same in every run; amounts in cents. */
export function demoEvents(): DemoEvent[] {
  const sales = [...counterSales(), ...fleetInvoices(), ...marketplaceSales(), ...giftCards(), ...customerReturns()];
  const events = [
    ...openingEvents(),
    ...fixedAssetEvents(),
    ...sales,
    ...salesTaxPayments(sales),
    ...stockOrders(sales),
    ...stockCounts(),
    ...rent(),
    ...payroll(),
    ...companyCard(),
    ...insurance(),
    ...loan(),
    ...accountant(),
  ];
  // The sort is stable, so events of one day stay in the order of the lists above.
  return [...events, ...yearEnd(events)].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

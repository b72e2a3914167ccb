/** Receivables and payables: settlement and aging. */
export type { AgedBalance, Aging } from './aging.ts';
export { controlAccounts } from './control-accounts.ts';
export { lockEvents } from './event-locks.ts';
export { type OpenBalance, OpenBalances } from './open-balances.ts';
export { settleBooksAnew } from './resettlement.ts';
export { controlNet, type Side } from './settlement.ts';
export { Settlements } from './settlements.ts';

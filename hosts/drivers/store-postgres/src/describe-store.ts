import { describe } from 'vitest';
import { describeGraphRows } from './suite/graph-rows.ts';
import { describeIsolation } from './suite/isolation.ts';
import { describeLimits } from './suite/limits.ts';
import { describeMigrations } from './suite/migrations.ts';
import { describeWaking } from './suite/notifications.ts';
import { describeTenancy } from './suite/tenancy.ts';
import { describeTransactions } from './suite/transactions.ts';
import { describeUpkeep } from './suite/upkeep.ts';
import { describeValues } from './suite/values.ts';
import type { StoreDriver } from './testing.ts';

/** The test suite that every driver of the `Store` port must pass. */
export function describeStore(driver: StoreDriver): void {
  describe(`store: ${driver.name}`, () => {
    describeTransactions(driver);
    describeTenancy(driver);
    describeGraphRows(driver);
    describeValues(driver);
    describeLimits(driver);
    describeUpkeep(driver);
    describeWaking(driver);
    describeMigrations(driver);
    describeIsolation(driver);
  });
}

/**
 * @module-tag sessions
 * @module-tag drivers
 */
import { afterAll } from 'vitest';
import { describeStore } from './describe-store.ts';
import { storeDrivers } from './testing.ts';

const drivers = storeDrivers();
for (const driver of drivers) describeStore(driver);
afterAll(async () => {
  for (const driver of drivers) await driver.stop();
});

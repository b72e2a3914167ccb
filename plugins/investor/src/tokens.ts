/** The collections of the plugin that other plugins use. */
import { createCollection } from '@pacioli/core';
import type { ExchangeRateSource } from './positions/exchange-rates.ts';

export const exchangeRates = createCollection<ExchangeRateSource>('investor.exchange-rates');

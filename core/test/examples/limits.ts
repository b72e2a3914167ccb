import { contribute, rateCategories } from '@pacioli/core';

/** Calls per minute of the parts whose `category` is `reminders`, by the tier of the graph. */
export const reminderCalls = contribute(rateCategories, 'reminders', {
  create: () => ({ label: 'reminder', isPerGraph: true, base: 5, standard: 30, large: 60, xlarge: 120 }),
});

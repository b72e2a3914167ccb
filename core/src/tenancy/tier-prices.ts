/** What a graph of each customer tier costs for a period of 30 days, in US cents (platform T-1). */
export const tierPrices_cents: Readonly<Record<string, number>> = {
  'ladybug-standard': 9_900,
  'ladybug-large': 29_900,
  'ladybug-xlarge': 69_900,
};

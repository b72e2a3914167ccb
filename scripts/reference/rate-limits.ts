import { kernelCategories } from '../../core/src/index.ts';
import { code, type Page, page, prose, table } from './markdown.ts';

/** The page of the rate limit categories. */
export function rateLimitsPage(): Page {
  const categories = [...kernelCategories.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return page('rate-limits', 'Rate limits', [
    'A part names the category that its calls count against. The numbers are calls per minute. Categories per graph count',
    'for each graph and user and grow with the tier of the graph; the others count for each user, whatever the tier.',
    'Calls without a user count for each address. A refusal is `429 RATE_LIMIT_EXCEEDED` with `Retry-After`. Plugins add',
    'categories with the collection `kernel.rate-categories`.',
    '',
    ...table(
      ['Category', 'Words in the refusal', 'Counts per', 'Without user', 'Standard', 'Large', 'Extra large'],
      categories.map(({ key, label, isPerGraph, base, standard, large, xlarge }) => [
        code(key),
        prose(label),
        isPerGraph ? 'graph and user' : 'user',
        ...[base, standard, large, xlarge].map(String),
      ]),
    ),
  ]);
}

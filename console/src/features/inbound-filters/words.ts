/** What filters are called and concern, and items that they drop, in words. */
import * as m from '../../messages/inbound-filters.ts';
import type { FilterId, FilterPreview, ProjectFilter } from './queries.ts';

/** As people look for them: what judges by itself first, then what goes by patterns. */
export const filterOrder: readonly FilterId[] = [
  'browser-extensions',
  'web-crawlers',
  'filtered-transaction',
  'legacy-browsers',
  'localhost',
  'chunk-load-error',
  'release-version',
  'environment',
  'ip-address',
  'error-type',
  'error-message',
];

export const inOrder = (filters: readonly ProjectFilter[]): ProjectFilter[] =>
  filters.toSorted((a, b) => filterOrder.indexOf(a.id) - filterOrder.indexOf(b.id));

type Category = keyof typeof m.items;
const isNamed = (category: string): category is Category => Object.hasOwn(m.items, category);

/** `3 errors, 12 spans`; '' for none. Categories without a name are one. */
export function itemsText(items: readonly { readonly category: string; readonly quantity: number }[]): string {
  const sums = new Map<Category, number>();
  for (const { category, quantity } of items) {
    const name = isNamed(category) ? category : 'other';
    if (quantity > 0) sums.set(name, (sums.get(name) ?? 0) + quantity);
  }
  return [...sums].map(([name, count]) => m.items[name]({ count })).join(', ');
}

/** What a preview looked at. */
export const examinedText = ({ errors, transactions, logs }: FilterPreview['examined']): string =>
  errors + transactions + logs === 0
    ? m.nothingStored
    : m.examined({
        errors: m.items.error({ count: errors }),
        transactions: m.items.transaction({ count: transactions }),
        logs: m.items.log_item({ count: logs }),
      });

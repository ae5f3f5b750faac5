/** Quotas in words and shares. Pure. */
import * as m from '../../messages/quotas.ts';
import { byteSize, exactNumber, percent } from '../../ui/numbers.ts';
import type { Quota, QuotaCategory } from './queries.ts';

/** As people look for them. */
export const categories: readonly QuotaCategory[] = [
  'error',
  'transaction',
  'span',
  'log_item',
  'session',
  'attachment',
  'feedback',
];

/** `12,345`, or `1.2 GB` of attachments. */
export const amountOf = (category: QuotaCategory, amount: number): string =>
  category === 'attachment' ? byteSize(amount) : exactNumber(amount);

/** `Errors per month` */
export const titleOf = ({ category, period }: Pick<Quota, 'category' | 'period'>): string =>
  m.titleOf({ category: m.categories[category], period: m.periods[period] });

/** `Errors per month, web, Default`: tells its buttons apart from those of others. */
export const nameOf = (quota: Quota): string =>
  [titleOf(quota), quota.project?.slug, quota.key?.label].filter((part) => part !== undefined).join(', ');

/** `800 of 1,000 (80%)` */
export function usedText({ category, used, amount }: Pick<Quota, 'category' | 'used' | 'amount'>): string {
  const words = { used: amountOf(category, used), amount: amountOf(category, amount) };
  return amount > 0 ? m.usedOf({ ...words, share: percent(used, amount) }) : m.usedOfNone(words);
}

/** Of a bar: how full, and how that looks. A quota of 0 is always full. */
export function fullness({ used, amount }: Pick<Quota, 'used' | 'amount'>): {
  readonly share: number;
  readonly tone: 'accent' | 'warning' | 'error';
} {
  const share = amount > 0 ? Math.min(1, used / amount) : 1;
  return { share, tone: share >= 1 ? 'error' : share >= 0.8 ? 'warning' : 'accent' };
}

const bytesPerMegabyte = 1_000_000;

/** As it stands in a form: items, or megabytes of attachments. */
export const toField = (category: QuotaCategory, amount: number): string =>
  String(category === 'attachment' ? amount / bytesPerMegabyte : amount);

/** Undefined for what is no amount. */
export function fromField(category: QuotaCategory, text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const amount = category === 'attachment' ? Math.round(value * bytesPerMegabyte) : value;
  return Number.isSafeInteger(amount) && amount >= 0 ? amount : undefined;
}

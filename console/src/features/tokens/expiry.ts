/** When a new token ends, as its maker chooses, and how that is said of one that is there. */
import { localDay } from '../../ui/relative-time.ts';

const dayMs = 86_400_000;
/** From here on the end is near enough to be pointed out; the first mail comes then, too. */
const soonMs = 14 * dayMs;

export const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const;

export type Lifetime = (typeof lifetimes)[number]['value'];
export const usualLifetime: Lifetime = '365';

/** As the API takes it; undefined while no day to come is chosen. The chosen day is the last one, where the reader is. */
export function expiresAtOf(lifetime: Lifetime, day: string, now: number): string | null | undefined {
  if (lifetime === 'never') return null;
  const end = lifetime === 'date' ? Date.parse(`${day}T23:59:59`) : now + Number(lifetime) * dayMs;
  return end > now ? new Date(end).toISOString() : undefined;
}

export interface Expiry {
  readonly text: string;
  readonly kind: 'far' | 'soon' | 'over';
}

export function expiryOf(expiresAt: string | null, now: number): Expiry {
  if (expiresAt === null) return { text: 'no expiry', kind: 'far' };
  const end = Date.parse(expiresAt);
  if (end <= now) return { text: `expired ${localDay(end)}`, kind: 'over' };
  return { text: `expires ${localDay(end)}`, kind: end - now < soonMs ? 'soon' : 'far' };
}

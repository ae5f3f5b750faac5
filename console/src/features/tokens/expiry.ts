/** When a new token expires, as its creator chooses, and how that is shown of one that exists. */
import * as m from '../../messages/token-expiry.ts';
import { localDay } from '../../ui/relative-time.ts';

const dayMs = 86_400_000;
/** From here on the end is near enough to be pointed out; the first mail is sent then, too. */
const soonMs = 14 * dayMs;

export type Lifetime = keyof typeof m.lifetimes;
export const usualLifetime: Lifetime = '365';

export const lifetimes = (['30', '90', '365', 'date', 'never'] as const).map((value) => ({
  value,
  label: m.lifetimes[value],
}));

/** As the API takes it; undefined while no future day is chosen. The chosen day is the last one, where the reader is. */
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
  if (expiresAt === null) return { text: m.none, kind: 'far' };
  const end = Date.parse(expiresAt);
  const day = localDay(end);
  if (end <= now) return { text: m.expired({ day }), kind: 'over' };
  return { text: m.expires({ day }), kind: end - now < soonMs ? 'soon' : 'far' };
}

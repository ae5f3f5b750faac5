/** Deliveries and channels in words. Pure. */
import * as m from '../../messages/channel-words.ts';
import type { FlagKind } from '../../ui/Flag.tsx';
import type { Channel, ChannelTest, Delivery } from './queries.ts';

const flags: Readonly<Record<Delivery['state'], FlagKind>> = {
  waiting: 'plain',
  sending: 'plain',
  sent: 'ok',
  merged: 'plain',
  failed: 'bad',
  uncertain: 'bad',
  skipped: 'disabled',
};

export const stateOf = (state: Delivery['state']): { readonly word: string; readonly flag: FlagKind } => ({
  word: m.states[state],
  flag: flags[state],
});

export function healthOf({ enabled, health }: Channel): { readonly word: string; readonly flag: FlagKind } | undefined {
  if (!enabled) return { word: m.healths.off, flag: 'disabled' };
  if (health === 'broken') return { word: m.healths.broken, flag: 'bad' };
  if (health === 'failing') return { word: m.healths.failing, flag: 'bad' };
  return health === 'ok' ? { word: m.healths.ok, flag: 'ok' } : undefined;
}

/** To whom a delivery went, or was to go. */
export const recipientOf = ({ channel, user, email }: Delivery): string =>
  channel?.name ?? (user ? user.name || user.email : (email ?? ''));

const isOver = new Set<Delivery['state']>(['sent', 'merged', 'failed', 'uncertain', 'skipped']);
export const canResend = ({ state }: Delivery): boolean => isOver.has(state);

/** What came of a test, in a sentence. */
export function testSentence({ state, status, detail }: ChannelTest): string {
  if (state === 'sent') return status === null ? m.arrivedSilently : m.arrived({ status: String(status) });
  return (state === 'uncertain' ? m.uncertain : m.notArrived)({ detail });
}

/** Deliveries and channels in words. Pure. */
import type { FlagKind } from '../../ui/Flag.tsx';
import type { Channel, ChannelTest, Delivery } from './queries.ts';

const states: Readonly<Record<Delivery['state'], readonly [word: string, flag: FlagKind]>> = {
  waiting: ['waiting', 'plain'],
  sending: ['sending', 'plain'],
  sent: ['sent', 'ok'],
  merged: ['sent with another', 'plain'],
  failed: ['failed', 'bad'],
  uncertain: ['uncertain', 'bad'],
  skipped: ['not sent', 'disabled'],
};

export const stateOf = (state: Delivery['state']): { readonly word: string; readonly flag: FlagKind } => {
  const [word, flag] = states[state];
  return { word, flag };
};

export function healthOf({ enabled, health }: Channel): { readonly word: string; readonly flag: FlagKind } | undefined {
  if (!enabled) return { word: 'off', flag: 'disabled' };
  if (health === 'broken') return { word: 'broken', flag: 'bad' };
  if (health === 'failing') return { word: 'failing', flag: 'bad' };
  return health === 'ok' ? { word: 'works', flag: 'ok' } : undefined;
}

/** To whom a delivery went, or was to go. */
export const recipientOf = ({ channel, user, email }: Delivery): string =>
  channel?.name ?? (user ? user.name || user.email : (email ?? ''));

const isOver = new Set<Delivery['state']>(['sent', 'merged', 'failed', 'uncertain', 'skipped']);
export const canResend = ({ state }: Delivery): boolean => isOver.has(state);

/** What came of a test, in a sentence. */
export function testSentence({ state, status, detail }: ChannelTest): string {
  if (state === 'sent') return `It has arrived: the receiver answered ${status ?? 'nothing'}.`;
  if (state === 'uncertain') return `It may have arrived: ${detail}.`;
  return `It did not arrive: ${detail}.`;
}

/** Channels of a test, without quiet hours. */
import type { State } from '../../../ports/state/state.ts';
import { createChannel } from '../channel-store.ts';
import type { ChannelType } from '../types.ts';
import { testVault } from './vault.ts';

/** With which a webhook signs what it sends. */
export const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

export const makeChannel = (
  state: State,
  organizationId: string,
  type: ChannelType,
  config: Readonly<Record<string, string | readonly string[]>>,
): Promise<number> =>
  createChannel(
    { state, vault: testVault },
    organizationId,
    { type, name: type, config, quietHours: null, enabled: true },
    Date.now(),
  );

/** To a place that no test asks: what goes there stays in the outbox. */
export const makeUnsentChannel = (state: State, organizationId: string): Promise<number> =>
  makeChannel(state, organizationId, 'webhook', { url: 'https://receiver.example/hook', secret: webhookSecret });

/** What every kind of channel says about itself. */
import type { z } from 'zod';
import type { OutboundAnswer, OutboundCall } from '../../../base/outbound/index.ts';
import type { Notification } from '../types.ts';

/** What the receiver's answer comes to. */
export type Verdict =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number | undefined }
  | { readonly kind: 'failed'; readonly why: string }
  /** It may have done what was asked. */
  | { readonly kind: 'uncertain'; readonly why: string };

export interface RenderContext {
  /** Which delivery it is; the same when it is sent again. */
  readonly deliveryKey: string;
  readonly nowMs: number;
  /** Of the console, without a trailing slash. */
  readonly consoleUrl: string;
  /** Of the organisation, where it is connected. */
  readonly slackApp?: SlackAccess | undefined;
}

/** How the Slack app of an organisation is reached. */
export interface SlackAccess {
  readonly token: string;
  /** Without a trailing slash. */
  readonly apiUrl: string;
}

interface Definition<Config> {
  readonly config: z.ZodType<Config>;
  /** Keys of the configuration that never leave the server again. */
  readonly secrets: readonly (keyof Config & string)[];
  /** Keys that say where secrets are sent: when one changes, secrets are asked for again. */
  readonly addresses: readonly (keyof Config & string)[];
  /** Whether a message that comes a second time is recognised, so that one of unknown fate may be sent again. */
  readonly recognisesRepeats: boolean;
  /**
   * What becomes of messages that wait together: people get them as one; a receiver of the user's own gets each; for pagers
   * the last word on a matter counts.
   */
  readonly several: 'as one' | 'each' | 'latest';
  call(config: Config, notification: Notification, context: RenderContext): OutboundCall;
  /** Undefined where the status says it all. */
  judge?(answer: OutboundAnswer): Verdict | undefined;
}

/** A kind whose configuration is read whenever it is used: it comes from the store as JSON. */
export interface ChannelKind extends Omit<Definition<unknown>, 'secrets' | 'addresses'> {
  readonly secrets: readonly string[];
  readonly addresses: readonly string[];
}

export const channelKind = <Config>(definition: Definition<Config>): ChannelKind => ({
  ...definition,
  call: (config, notification, context) => definition.call(definition.config.parse(config), notification, context),
});

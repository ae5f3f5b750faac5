/** One attempt at one delivery, over HTTP or as mail. */
import { type AllowList, callOutside, type Lookup, OutboundError } from '../../base/outbound/index.ts';
import { EmailConfig, httpKinds, judge, type SlackAccess } from './channels/index.ts';
import { hideSecrets } from './channel-config.ts';
import type { Channel } from './channel-store.ts';
import { gather } from './digest.ts';
import { type Mail, MailError, type Mailer } from './mail/index.ts';
import { type Link, withLinks } from './organization-links.ts';
import type { Destination, Job, Result } from './outbox.ts';
import { personalKindsOf, type Subscription } from './subscription.ts';
import { oneLine } from './text.ts';
import type { Notification, NotificationKind } from './types.ts';
import { lostSecret, type Vault } from './vault.ts';
import * as texts from '../../base/texts/notifications.ts';
import { mail } from '../../base/texts/mail.ts';

export interface SendTools {
  readonly mailer: Mailer | undefined;
  readonly allow: AllowList;
  readonly vault: Vault;
  /** Of the console, without a trailing slash. */
  readonly consoleUrl: string;
  /** Where links have to name the organisation. */
  readonly link?: Link | undefined;
  readonly lookup?: Lookup | undefined;
  /** PEM of further authorities, for tests. */
  readonly authority?: string | undefined;
  readonly slackApp?: SlackAppOf | undefined;
}

/** Undefined where none is connected. Throws where its secrets do not open. */
export type SlackAppOf = (organizationId: string) => Promise<SlackAccess | undefined>;

/** The lease went to another node before anything was sent. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Of what a receiver says, so much is kept. */
const keptAnswer = 500;

type Outcome = Pick<Result, 'outcome' | 'status' | 'answer' | 'why' | 'afterMs' | 'lost' | 'done'>;

/** Of the page that ends a subscription. */
export const unsubscribePath = '/unsubscribe';

/** Never throws: whatever goes wrong is a result. `beforeSending` is awaited before the bytes that make the receiver act. */
export async function sendJob(
  job: Pick<Job, 'key' | 'to' | 'notifications'>,
  tools: SendTools,
  beforeSending: () => Promise<void>,
): Promise<Result> {
  const at = Date.now();
  const started = performance.now();
  const outcome = await attempt(job, tools, beforeSending).catch(toOutcome);
  return { ...outcome, at, durationMs: Math.round(performance.now() - started) };
}

async function attempt(
  { key, to, notifications }: Pick<Job, 'key' | 'to' | 'notifications'>,
  tools: SendTools,
  beforeSending: () => Promise<void>,
): Promise<Outcome> {
  const opened = tools.vault.openLink(gather(notifications, tools));
  if (!opened) return refused(texts.deliveries.linkSealed);
  const notification = withLinks(opened, tools.link);
  if (to.kind === 'channel' && to.channel.type !== 'email') {
    return callChannel(to.channel, { key, notification }, tools, beforeSending);
  }
  const { mailer, consoleUrl } = tools;
  if (!mailer) return refused(texts.deliveries.noMail);
  const addresses = to.kind === 'channel' ? EmailConfig.parse(to.channel.config).to : [to.email];
  const kinds = personalKindsOf(notifications.map(({ kind }) => kind));
  const messageTo = (address: string): Mail => {
    const subscription = subscriptionOf(to, address, kinds);
    const unsubscribe =
      subscription && `${consoleUrl}${unsubscribePath}?token=${tools.vault.sealSubscription(subscription)}`;
    return {
      to: address,
      notification,
      footer: { ...footerOf(to, notification.kind, tools), unsubscribeUrl: unsubscribe },
      deliveryKey: key,
    };
  };
  return mailAll(addresses, (address) => mailer.send(messageTo(address), beforeSending));
}

const stopped: Outcome = { outcome: 'retry', status: null, answer: '', why: texts.deliveries.stopped };

/**
 * One message after the other. Who cannot get it does not keep it from the others; where the server refuses more, the
 * rest is sent later.
 */
async function mailAll(
  addresses: readonly string[],
  send: (address: string) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<Outcome> {
  const done: string[] = [];
  const troubles: { readonly address: string; readonly outcome: Outcome }[] = [];
  let sent: Outcome | undefined;
  for (const address of addresses) {
    try {
      const { status, text } = await send(address);
      sent = { outcome: 'sent', status, answer: shorten(text), why: '' };
    } catch (error) {
      const outcome = toOutcome(error);
      if (outcome.lost && done.length === 0) return outcome;
      // This node stops, and knows who has it already. Where another one has the delivery by now, nothing of this is written.
      troubles.push({ address, outcome: outcome.lost ? stopped : outcome });
      if (outcome.outcome === 'retry') break;
    }
    done.push(address);
  }
  const [first] = troubles;
  // What is to be tried again, or may have arrived, counts for more than what has.
  const worst = troubles.map(({ outcome }) => outcome).findLast(({ outcome }) => outcome !== 'failed');
  const outcome = worst ?? sent ?? first?.outcome ?? refused(texts.deliveries.noAddress);
  const several = addresses.length > 1 && { done };
  const refusedBy = troubles.map(({ address }) => address).join(', ');
  const why = first?.outcome.why ?? '';
  return {
    ...outcome,
    why: first && addresses.length > 1 ? texts.deliveries.someRefused(refusedBy, why) : why,
    ...several,
  };
}

/** Undefined for what is no subscription: an invitation, a test, that a token expires. */
function subscriptionOf(
  to: Destination,
  address: string,
  kinds: ReturnType<typeof personalKindsOf>,
): Subscription | undefined {
  if (to.kind === 'channel') {
    const { id, name } = to.channel;
    return id === 0 ? undefined : { to: 'channel', channelId: id, name, address };
  }
  if (to.kind === 'stranger' || kinds.length === 0) return undefined;
  return { to: 'member', userId: to.userId, organizationId: to.organizationId, address, kinds };
}

const refused = (why: string): Outcome => ({ outcome: 'failed', status: null, answer: '', why });

async function callChannel(
  channel: Channel,
  { key, notification }: { readonly key: string; readonly notification: Notification },
  { allow, lookup, authority, consoleUrl, vault, slackApp: slackAppOf }: SendTools,
  beforeSending: () => Promise<void>,
): Promise<Outcome> {
  const { type } = channel;
  const { config, lost } = vault.openConfig(channel, channel.config);
  if (lost.length > 0) return refused(lostSecret(lost));
  if (type === 'email') throw new TypeError('mail is not sent by HTTP');
  const kind = httpKinds[type];
  const slackApp = type === 'slack' && config['via'] ? await slackAppOf?.(channel.organizationId) : undefined;
  const call = kind.call(config, notification, { deliveryKey: key, nowMs: Date.now(), consoleUrl, slackApp });
  const said = await callOutside(call, { allow, lookup, authority, beforeSending });
  // Before anything of it is cut: half a secret would not be found.
  const hide = (text: string): string => hideSecrets(type, config, text);
  const answer = { ...said, body: hide(said.body), location: said.location && hide(said.location) };
  const verdict = judge(answer, kind);
  return {
    outcome: verdict.kind,
    status: answer.status,
    answer: shorten(answer.body),
    why: verdict.kind === 'sent' ? '' : verdict.why,
    ...(verdict.kind === 'retry' && { afterMs: verdict.afterMs }),
  };
}

function toOutcome(error: unknown): Outcome {
  const none = { status: null, answer: '' };
  if (error instanceof LeaseLost) return { ...none, outcome: 'retry', why: '', lost: true };
  if (error instanceof OutboundError) {
    const outcome = { refused: 'failed', connect: 'retry', sent: 'uncertain' } as const;
    return { ...none, outcome: outcome[error.stage], why: error.message };
  }
  if (error instanceof MailError) {
    const { status, kind, message } = error;
    return { status, answer: shorten(message), outcome: kind, why: shorten(message) };
  }
  return {
    ...none,
    outcome: 'failed',
    why: error instanceof Error ? shorten(error.message) : texts.deliveries.unknown,
  };
}

const shorten = (text: string): string => oneLine(text.slice(0, keptAnswer));

function footerOf(
  to: Destination,
  kind: NotificationKind,
  { consoleUrl, link = (url) => url }: Pick<SendTools, 'consoleUrl' | 'link'>,
): { readonly why: string; readonly settingsUrl: string } {
  switch (to.kind) {
    case 'member':
      return {
        why: mail.toMember,
        settingsUrl: link(`${consoleUrl}/settings/notifications`),
      };
    case 'channel':
      return {
        why: mail.toChannel(oneLine(to.channel.name)),
        settingsUrl: link(`${consoleUrl}/settings/channels`),
      };
    case 'stranger':
      return { why: kind === 'account' ? mail.toAccount : mail.toStranger, settingsUrl: consoleUrl };
  }
}

/** Every kind of channel that is called over HTTP. */
import type { OutboundAnswer } from '../../../base/outbound/index.ts';
import { cut, oneLine } from '../text.ts';
import { type ChannelType, channelTypes } from '../types.ts';
import type { ChannelKind, Verdict } from './channel-kind.ts';
import { discord } from './discord.ts';
import { mattermost } from './mattermost.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { retryAfterMs } from './retry-after.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

export type { ChannelKind, RenderContext, SlackAccess, Verdict } from './channel-kind.ts';
export { EmailConfig } from './email.ts';
export { leaveOtherWay } from './slack.ts';
import * as texts from '../../../base/texts/notifications.ts';

export const httpKinds: Record<Exclude<ChannelType, 'email'>, ChannelKind> = {
  slack,
  discord,
  teams,
  mattermost,
  telegram,
  pagerduty,
  opsgenie,
  webhook,
};

/** Services that keep an incident open until they are told that it is over. */
export const pagerTypes: readonly ChannelType[] = channelTypes.filter(
  (type) => type !== 'email' && httpKinds[type].several === 'latest',
);

/** What an answer means where the kind has nothing of its own to say. */
export function judge(answer: OutboundAnswer, kind?: Pick<ChannelKind, 'judge'>): Verdict {
  const own = kind?.judge?.(answer);
  if (own) return own;
  const { status, location } = answer;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status >= 300 && status < 400) {
    return {
      kind: 'failed',
      why: texts.deliveries.redirected(location?.slice(0, 200) ?? ''),
    };
  }
  // The receiver may have got it from the gateway that gave up waiting.
  if (status === 504) return { kind: 'uncertain', why: texts.deliveries.gatewayTimeout };
  const why = texts.deliveries.status(status, reasonIn(answer.body));
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { kind: 'retry', why, afterMs: retryAfterMs(answer.retryAfter) ?? retryAfterIn(answer.body) };
  }
  return { kind: 'failed', why };
}

/** What a service says about it in JSON: most have `message`, some with details, some `error` or `description`. */
function reasonIn(body: string): string {
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    return '';
  }
  const { message, description, error, errors } = objectOf(said);
  const details = Object.values(objectOf(errors));
  const all = [message, objectOf(error)['message'], error, description, ...details];
  const words = all.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  return cut(oneLine([...new Set(words)].join(': ')), longestReason);
}

const longestReason = 200;

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Discord and Telegram say it in the body, in seconds. */
function retryAfterIn(body: string): number | undefined {
  const seconds = /"retry_after"\s*:\s*(\d{1,6}(?:\.\d{1,9})?)/.exec(body)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

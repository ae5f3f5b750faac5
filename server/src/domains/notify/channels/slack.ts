/** Slack by the app of the organisation, by an incoming webhook, or by the token of a bot. */
import { z } from 'zod';
import { channels } from '../../../base/texts/outbound.ts';
import { slack as texts } from '../../../base/texts/slack.ts';
import { contentOf, severityColor } from '../content.ts';
import { cutEscaped, escapeSlack } from '../text.ts';
import type { Notification } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { secretWord, serviceAddress, webAddress } from './fields.ts';
import { retryAfterMs } from './retry-after.ts';
import { slackAppMessage, slackBlocks, slackFallback } from './slack-message.ts';

export const slackApiUrl = 'https://slack.com/api';

const Config = z
  .object({
    url: webAddress.optional(),
    token: secretWord.optional(),
    /** By the app: its token stands with it. */
    via: z.literal('app').optional(),
    channel: z.string().trim().max(100).optional(),
    /** For people, where `channel` is an id. */
    channelName: z.string().trim().max(100).optional(),
    apiUrl: serviceAddress(slackApiUrl),
  })
  .refine(({ url, token, via }) => [url, token, via].filter((one) => one !== undefined).length === 1, {
    message: channels.slackAddress,
    path: ['url'],
  })
  .refine(({ url, channel }) => url !== undefined || Boolean(channel), {
    message: channels.slackChannel,
    path: ['channel'],
  });

/** Ways to reach Slack: who gives the one means to leave the others, with what only they have. */
const ways = { url: [], token: ['channel', 'channelName'], via: ['channel', 'channelName'] } as const;

/** `before` without what belongs to another way than the one that is given anew. */
export function leaveOtherWay<Value>(
  before: Readonly<Record<string, Value>>,
  sent: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const kept: Record<string, Value> = { ...before };
  const way = (Object.keys(ways) as (keyof typeof ways)[]).find((key) => sent[key] !== undefined);
  if (way !== undefined && before[way] === undefined)
    for (const [key, own] of Object.entries(ways)) for (const name of [key, ...own]) delete kept[name];
  // The name is that of the channel before.
  if (sent['channel'] !== undefined) delete kept['channelName'];
  return kept;
}

/** Errors of the API after which another attempt makes sense. */
const passing = new Set([
  'ratelimited',
  'rate_limited',
  'service_unavailable',
  'internal_error',
  'fatal_error',
  'request_timeout',
]);

export const slack = channelKind({
  config: Config,
  secrets: ['url', 'token'],
  addresses: ['apiUrl'],
  recognisesRepeats: false,
  several: 'as one',
  call({ url, token, via, channel, apiUrl }, notification, { slackApp, deliveryKey, nowMs }) {
    const access = via === undefined ? token && { token, apiUrl } : slackApp;
    if (via !== undefined && !access) throw new Error(texts.notConnected);
    const message = via ? slackAppMessage(notification, { deliveryKey, nowMs }) : slackMessage(notification);
    return {
      method: 'POST',
      url: url ?? `${access ? access.apiUrl : apiUrl}/chat.postMessage`,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(access && { authorization: `Bearer ${access.token}` }),
      },
      body: JSON.stringify(access ? { channel, ...unparsed, ...message } : message),
      confined: access !== undefined,
    };
  },
  // The API answers 200 whatever it thinks of the request; webhooks answer with a status and the bare word.
  judge({ status, body, retryAfter }) {
    const error = slackErrorIn({ status, body });
    if (error === undefined) return undefined;
    return passing.has(error)
      ? { kind: 'retry', why: texts.refused(error), afterMs: retryAfterMs(retryAfter) }
      : { kind: 'failed', why: texts.refused(error) };
  },
});

/** Nothing in the text becomes a link, a mention or a picture. */
const unparsed = { unfurl_links: false, unfurl_media: false, link_names: false, parse: 'none', mrkdwn: false };

/** What Slack says is wrong, in its own word; undefined where it says nothing. */
export function slackErrorIn({ status, body }: { readonly status: number; readonly body: string }): string | undefined {
  if (status >= 400 && status < 500 && /^[a-z_]{3,100}$/.test(body.trim())) return body.trim();
  if (!body.startsWith('{') || !/"ok"\s*:\s*false/.test(body)) return undefined;
  return /"error"\s*:\s*"([^"]{1,100})"/.exec(body)?.[1];
}

/** As webhooks and bots post it: with a colour, without buttons. */
export function slackMessage(notification: Notification): object {
  return {
    text: slackFallback(notification),
    attachments: [
      {
        color: severityColor[notification.severity],
        fallback: cutEscaped(contentOf(notification).title, 500, escapeSlack),
        blocks: slackBlocks(notification),
      },
    ],
  };
}

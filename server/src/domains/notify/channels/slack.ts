/** Slack by an incoming webhook, or by the token of a bot. */
import { z } from 'zod';
import { contentOf, severityColor } from '../content.ts';
import { cut, cutEscaped, escapeSlack, oneLine } from '../text.ts';
import type { Notification } from '../types.ts';
import { channels } from '../../../base/texts/outbound.ts';
import { channelKind } from './channel-kind.ts';
import { secretWord, serviceAddress, webAddress } from './fields.ts';
import * as texts from '../../../base/texts/notifications.ts';

const Config = z
  .object({
    url: webAddress.optional(),
    token: secretWord.optional(),
    channel: z.string().trim().max(100).optional(),
    apiUrl: serviceAddress('https://slack.com/api'),
  })
  .refine(({ url, token }) => (url === undefined) !== (token === undefined), {
    message: channels.slackAddress,
    path: ['url'],
  })
  .refine(({ token, channel }) => token === undefined || Boolean(channel), {
    message: channels.slackChannel,
    path: ['channel'],
  });

/** Errors of the API after which another attempt makes sense. */
const passing = new Set(['ratelimited', 'rate_limited', 'service_unavailable', 'internal_error', 'fatal_error']);

export const slack = channelKind({
  config: Config,
  secrets: ['url', 'token'],
  addresses: ['apiUrl'],
  recognisesRepeats: false,
  several: 'as one',
  call({ url, token, channel, apiUrl }, notification) {
    const message = slackMessage(notification);
    return {
      method: 'POST',
      url: url ?? `${apiUrl}/chat.postMessage`,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(token === undefined ? message : { channel, unfurl_links: false, ...message }),
      confined: token !== undefined,
    };
  },
  // The API answers 200 whatever it thinks of the request.
  judge({ status, body }) {
    if (status !== 200 || !body.startsWith('{')) return undefined;
    const error = /"ok"\s*:\s*false/.test(body) ? /"error"\s*:\s*"([^"]{1,100})"/.exec(body)?.[1] : undefined;
    if (error === undefined) return undefined;
    return passing.has(error)
      ? { kind: 'retry', why: texts.deliveries.slackError(error) }
      : { kind: 'failed', why: texts.deliveries.slackError(error) };
  },
});

/** Texts of events stand in blocks that show letters as they are; only the fallback is mrkdwn and escaped. */
export function slackMessage(notification: Notification): object {
  const { title, text, facts } = contentOf(notification);
  const word = (value: string, style?: { bold: true }): unknown => ({
    type: 'text',
    text: value,
    ...(style && { style }),
  });
  const section = (...elements: unknown[]): unknown => ({ type: 'rich_text_section', elements });
  const elements: unknown[] = [
    section({ type: 'link', url: cut(notification.url, 3000), text: cut(title, 300), style: { bold: true } }),
  ];
  if (text !== '') elements.push(section(word(`${cut(text, 2000)}`)));
  for (const { heading, lines } of notification.sections ?? []) {
    elements.push(section(word(cut(oneLine(heading), 200), { bold: true })));
    elements.push({
      type: 'rich_text_list',
      style: 'bullet',
      elements: lines
        .slice(0, 20)
        .map((line) =>
          section(
            line.url
              ? { type: 'link', url: line.url, text: cut(oneLine(line.title), 200) }
              : word(cut(oneLine(line.title), 200)),
            ...(line.text ? [word(` ${cut(oneLine(line.text), 200)}`)] : []),
          ),
        ),
    });
  }
  const blocks: unknown[] = [{ type: 'rich_text', elements }];
  if (facts.length > 0) {
    blocks.push({
      type: 'section',
      fields: facts
        .slice(0, 10)
        .map(({ name, value }) => ({ type: 'plain_text', text: cut(`${name}: ${value}`, 2000), emoji: false })),
    });
  }
  return {
    text: cutEscaped(title, 3000, escapeSlack),
    attachments: [
      { color: severityColor[notification.severity], fallback: cutEscaped(title, 500, escapeSlack), blocks },
    ],
  };
}

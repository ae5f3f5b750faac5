/** Telegram by a bot. */
import { z } from 'zod';
import { contentOf } from '../content.ts';
import { cutEscaped, escapeHtml, oneLine } from '../text.ts';
import type { Notification } from '../types.ts';
import { channels } from '../../../base/texts/outbound.ts';
import { channelKind } from './channel-kind.ts';
import { serviceAddress } from './fields.ts';

const Config = z.object({
  token: z
    .string()
    .trim()
    .regex(/^\d{1,20}:[\w-]{1,100}$/, channels.telegramToken),
  chat: z
    .string()
    .trim()
    .regex(/^(?:-?\d{1,20}|@\w{1,64})$/, channels.telegramChat),
  apiUrl: serviceAddress('https://api.telegram.org'),
});

export const telegram = channelKind({
  config: Config,
  secrets: ['token'],
  addresses: ['apiUrl'],
  recognisesRepeats: false,
  several: 'as one',
  call: ({ token, chat, apiUrl }, notification) => ({
    method: 'POST',
    url: `${apiUrl}/bot${token}/sendMessage`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      chat_id: chat,
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      text: telegramText(notification),
    }),
    confined: true,
  }),
});

/** What Telegram takes, and the room that escapes need. */
const maxText = 4096;

export function telegramText(notification: Notification): string {
  const { title, text, facts } = contentOf(notification);
  const parts = [
    `<b><a href="${escapeHtml(notification.url)}">${cutEscaped(title, 600, escapeHtml)}</a></b>`,
    cutEscaped(text, 1200, escapeHtml),
    ...(notification.sections ?? []).flatMap(({ heading, lines }) => [
      `<b>${cutEscaped(oneLine(heading), 150, escapeHtml)}</b>`,
      ...lines.slice(0, 12).map((line) => `• ${cutEscaped(oneLine(`${line.title} ${line.text}`), 200, escapeHtml)}`),
    ]),
    ...facts.map(
      ({ name, value }) => `<b>${cutEscaped(name, 80, escapeHtml)}</b> ${cutEscaped(value, 250, escapeHtml)}`,
    ),
  ];
  let message = '';
  // Whole parts, so that no tag is left open.
  for (const part of parts) {
    if (part === '') continue;
    if (message.length + part.length + 1 > maxText) break;
    message += `${message ? '\n' : ''}${part}`;
  }
  return message;
}

/** Mattermost by an incoming webhook. */
import { z } from 'zod';
import { contentOf, severityColor } from '../content.ts';
import { cutEscaped, escapeMarkdown, oneLine } from '../text.ts';
import type { Notification } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { webAddress } from './fields.ts';

const Config = z.object({ url: webAddress });

export const mattermost = channelKind({
  config: Config,
  secrets: ['url'],
  addresses: [],
  recognisesRepeats: false,
  several: 'as one',
  call: ({ url }, notification) => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(mattermostMessage(notification)),
    confined: false,
  }),
});

export function mattermostMessage(notification: Notification): unknown {
  const { title, text, facts } = contentOf(notification);
  const lines = (notification.sections ?? [])
    .slice(0, 5)
    .flatMap(({ heading, lines }) => [
      `**${cutEscaped(oneLine(heading), 200, escapeMarkdown)}**`,
      ...lines
        .slice(0, 20)
        .map(({ title, text }) => `- ${cutEscaped(oneLine(`${title} ${text}`), 250, escapeMarkdown)}`),
    ]);
  const shown = cutEscaped(title, 400, escapeMarkdown);
  return {
    attachments: [
      {
        fallback: shown,
        color: severityColor[notification.severity],
        title: shown,
        title_link: notification.url,
        text: [cutEscaped(text, 3000, escapeMarkdown), ...lines].filter((part) => part !== '').join('\n'),
        fields: facts.map(({ name, value }) => ({
          title: cutEscaped(name, 80, escapeMarkdown),
          value: cutEscaped(value, 400, escapeMarkdown),
          short: value.length <= 40,
        })),
      },
    ],
  };
}

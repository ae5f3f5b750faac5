/** Discord by a webhook of a channel: https://docs.discord.com/developers/resources/webhook#execute-webhook */
import { z } from 'zod';
import { contentOf, severityColor } from '../content.ts';
import { cut, cutEscaped, escapeMarkdown, oneLine } from '../text.ts';
import type { Notification } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { webAddress } from './fields.ts';

const Config = z.object({ url: webAddress });

export const discord = channelKind({
  config: Config,
  secrets: ['url'],
  addresses: [],
  recognisesRepeats: false,
  several: 'as one',
  call: ({ url }, notification) => ({
    method: 'POST',
    url: waiting(url),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(discordMessage(notification)),
    confined: false,
  }),
});

/** Without it, Discord answers before it has stored the message, and says of none that it was not. */
function waiting(url: string): string {
  const target = new URL(url);
  target.searchParams.set('wait', 'true');
  return target.href;
}

/** All parts of an embed together may have 6000 characters. */
const limits = { title: 256, description: 2000, name: 100, value: 250, fields: 10, lines: 12, line: 180 };

export function discordMessage(notification: Notification): unknown {
  const { title, text, facts } = contentOf(notification);
  const lines = (notification.sections ?? []).flatMap(({ heading, lines }) => [
    `**${cutEscaped(oneLine(heading), 100, escapeMarkdown)}**`,
    ...lines
      .slice(0, limits.lines)
      .map(({ title, text }) => `- ${cutEscaped(oneLine(`${title} ${text}`), limits.line, escapeMarkdown)}`),
  ]);
  const description = [cutEscaped(text, limits.description, escapeMarkdown)];
  // Whole lines, so that no escape is cut in two.
  for (const line of lines) {
    if (description.join('\n').length + line.length > limits.description) break;
    description.push(line);
  }
  return {
    // Whatever a text says, it calls nobody.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutEscaped(title, limits.title, escapeMarkdown),
        url: cut(notification.url, 2000),
        description: description.filter((part) => part !== '').join('\n'),
        color: parseInt(severityColor[notification.severity].slice(1), 16),
        fields: facts.slice(0, limits.fields).map(({ name, value }) => ({
          name: cutEscaped(name, limits.name, escapeMarkdown),
          value: cutEscaped(value, limits.value, escapeMarkdown),
          inline: value.length <= 40,
        })),
      },
    ],
  };
}

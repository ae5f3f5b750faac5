/** Microsoft Teams by a workflow that posts what a webhook brings: an adaptive card. */
import { z } from 'zod';
import { contentOf } from '../content.ts';
import { cut, cutEscaped, escapeMarkdown, oneLine } from '../text.ts';
import type { Notification, Severity } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { webAddress } from './fields.ts';
import { mail } from '../../../base/texts/mail.ts';

const Config = z.object({ url: webAddress });

export const teams = channelKind({
  config: Config,
  secrets: ['url'],
  addresses: [],
  recognisesRepeats: false,
  several: 'as one',
  call: ({ url }, notification) => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(teamsMessage(notification)),
    confined: false,
  }),
});

const colors: Record<Severity, string> = {
  info: 'accent',
  warning: 'warning',
  critical: 'attention',
  resolved: 'good',
};

/** At most 28 kB. Text runs show letters as they are; facts are Markdown and escaped. */
export function teamsMessage(notification: Notification): unknown {
  const { title, text, facts } = contentOf(notification);
  const run = (value: string, more: object = {}): unknown => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: value, ...more }],
  });
  const body: unknown[] = [
    run(cut(title, 300), { weight: 'bolder', size: 'medium', color: colors[notification.severity] }),
  ];
  if (text !== '') body.push(run(cut(text, 2000)));
  for (const { heading, lines } of notification.sections ?? []) {
    body.push(run(cut(oneLine(heading), 200), { weight: 'bolder' }));
    for (const line of lines.slice(0, 20)) body.push(run(cut(oneLine(`• ${line.title} ${line.text}`), 250)));
  }
  if (facts.length > 0) {
    body.push({
      type: 'FactSet',
      facts: facts.map(({ name, value }) => ({
        title: cutEscaped(name, 80, escapeMarkdown),
        value: cutEscaped(value, 400, escapeMarkdown),
      })),
    });
  }
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: body.slice(0, 40),
          actions: [{ type: 'Action.OpenUrl', title: mail.open, url: notification.url }],
        },
      },
    ],
  };
}

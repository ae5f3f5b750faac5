/**
 * Microsoft Teams by a workflow that posts what a webhook brings: an adaptive card. The connectors before it are gone.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
 */
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

/** Of a message, which Teams limits to 28 kB. */
const maxBytes = 27_000;
const limits = { title: 300, text: 2000, heading: 200, line: 250, lines: 20, allLines: 36, name: 80, value: 400 };

interface Fact {
  readonly title: string;
  readonly value: string;
}

/** What does not fit is left out from the end: lines first. Letters of other scripts have three bytes and more. */
export function teamsMessage(notification: Notification): unknown {
  const { title, text, facts } = contentOf(notification);
  const head = [
    run(cut(title, limits.title), { weight: 'bolder', size: 'medium', color: colors[notification.severity] }),
  ];
  if (text !== '') head.push(run(cut(text, limits.text)));
  const lines = (notification.sections ?? [])
    .flatMap((section) => [
      run(cut(oneLine(section.heading), limits.heading), { weight: 'bolder' }),
      ...section.lines
        .slice(0, limits.lines)
        .map((line) => run(cut(oneLine(`• ${line.title} ${line.text}`), limits.line))),
    ])
    .slice(0, limits.allLines);
  const rows = facts.map(({ name, value }) => ({
    title: cutEscaped(name, limits.name, escapeMarkdown),
    value: cutEscaped(value, limits.value, escapeMarkdown),
  }));
  for (;;) {
    const message = cardOf([...head, ...lines], rows, notification.url);
    if (lines.length + rows.length === 0 || Buffer.byteLength(JSON.stringify(message)) <= maxBytes) return message;
    if (lines.length > 0) lines.pop();
    else rows.pop();
  }
}

/** Text runs show letters as they are; facts are Markdown and escaped. */
const run = (text: string, more: object = {}): object => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...more }],
});

const cardOf = (blocks: readonly object[], facts: readonly Fact[], url: string): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [...blocks, ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : [])],
        actions: [{ type: 'Action.OpenUrl', title: mail.open, url }],
      },
    },
  ],
});

/** Several notifications told as one. Pure. */
import type { Notification, NotificationKind, NotificationLine, Severity } from './types.ts';
import * as texts from '../../base/texts/notifications.ts';

const headings: Readonly<Record<NotificationKind, string>> = texts.sections;

const order: readonly Severity[] = ['critical', 'warning', 'resolved', 'info'];

/** Lines under one heading; what is over is counted. */
const maxLines = 40;

/** The one, or a digest of all in the order in which they came. Never called with none. */
export function gather(
  notifications: readonly [Notification, ...Notification[]],
  { consoleUrl }: { readonly consoleUrl: string },
): Notification {
  const [first, ...others] = notifications;
  if (others.length === 0) return first;
  const sections = [...Map.groupBy(notifications, ({ kind }) => headings[kind])].map(([heading, same]) => ({
    heading,
    lines: [
      ...same.slice(0, maxLines).flatMap(linesOf),
      ...(same.length > maxLines
        ? [{ title: texts.notifications.more(same.length - maxLines), url: '', text: '' }]
        : []),
    ],
  }));
  const isOneMatter = others.every(({ groupKey }) => groupKey === first.groupKey);
  const projects = new Set(notifications.map(({ project }) => project?.id));
  return {
    kind: 'digest',
    severity: order.find((severity) => notifications.some((one) => one.severity === severity)) ?? 'info',
    title:
      isOneMatter && first.issue
        ? texts.notifications.updates(first.issue.shortId, notifications.length)
        : texts.notifications.several(notifications.length),
    text: '',
    url: isOneMatter ? first.url : `${consoleUrl}/issues`,
    project: projects.size === 1 ? first.project : undefined,
    ...(isOneMatter && { issue: first.issue }),
    fields: [],
    sections,
    groupKey: isOneMatter ? first.groupKey : 'digest',
  };
}

function linesOf({ title, url, text, issue, sections }: Notification): NotificationLine[] {
  const about = issue && !title.includes(issue.title) ? `${issue.shortId} ${issue.title}` : '';
  const line = { title, url, text: [about, text].filter((part) => part !== '').join(' – ') };
  return [line, ...(sections ?? []).flatMap(({ lines }) => lines.slice(0, 5))];
}

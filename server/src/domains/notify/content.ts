/** What a notification says, before anybody decides how it looks. */
import { estimated, number } from '../../base/texts/intl.ts';
import * as texts from '../../base/texts/notifications.ts';
import { cut, oneLine, plainLines } from './text.ts';
import type { Notification, NotificationField, NotificationKind, Severity } from './types.ts';

/** More of one thing than anybody reads in a message. */
const maxFacts = 20;
const maxFact = 500;

export interface Content {
  readonly title: string;
  /** May have several lines. */
  readonly text: string;
  /** Names with values, each on one line, none of them empty. */
  readonly facts: readonly NotificationField[];
}

/** As `#rrggbb`, of the console's light theme. */
export const severityColor: Record<Severity, string> = {
  info: '#1d5bb8',
  warning: '#855200',
  critical: '#b42318',
  resolved: '#176b3a',
};

const isAlert = new Set<NotificationKind>(['issue_alert', 'metric_alert']);

export function contentOf(notification: Notification): Content {
  const { severity, kind, issue, metric, project, rule, fields } = notification;
  const word = isAlert.has(kind) ? texts.severities[severity] : '';
  const shortId = issue && !notification.title.includes(issue.shortId) ? `${issue.shortId} ` : '';
  const facts: NotificationField[] = [];
  const add = (name: string, value: string | number | undefined): void => {
    const line = cut(oneLine(String(value ?? '')), maxFact);
    if (line !== '') facts.push({ name: cut(oneLine(name), 80), value: line });
  };
  if (issue) {
    if (!notification.title.includes(issue.title)) add(texts.facts.issue, issue.title);
    add(texts.facts.culprit, issue.frame ?? issue.culprit);
    add(texts.facts.events, issue.count ? estimated(issue.count, issue.estimated) : undefined);
    add(texts.facts.users, issue.userCount ? number(issue.userCount) : undefined);
  }
  if (metric) {
    add(metric.name, estimated(metric.value, metric.estimated));
    if (metric.threshold !== null) add(texts.facts.threshold, number(metric.threshold));
  }
  for (const { name, value } of fields) add(name, value);
  add(texts.facts.project, project?.name);
  add(texts.facts.environment, issue?.environment);
  add(texts.facts.release, issue?.release);
  add(texts.facts.rule, rule?.name);
  return {
    title: cut(
      `${word ? `${word}: ` : ''}${shortId}${oneLine(notification.title) || texts.notifications.untitled}`,
      400,
    ),
    text: cut(plainLines(notification.text), 4000),
    facts: facts.slice(0, maxFacts),
  };
}

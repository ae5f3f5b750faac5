/**
 * PagerDuty by Events API v2: an alert is triggered, and resolved by the same `dedup_key`.
 * https://developer.pagerduty.com/docs/events-api-v2-overview
 */
import { z } from 'zod';
import { contentOf } from '../content.ts';
import { cut } from '../text.ts';
import type { Notification, Severity } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { groupIdOf } from './group-id.ts';
import { secretWord, serviceAddress } from './fields.ts';
import * as texts from '../../../base/texts/notifications.ts';
import { mail } from '../../../base/texts/mail.ts';

const Config = z.object({
  key: secretWord.describe('Integration key of a service.'),
  apiUrl: serviceAddress('https://events.pagerduty.com'),
});

export const pagerduty = channelKind({
  config: Config,
  secrets: ['key'],
  addresses: ['apiUrl'],
  recognisesRepeats: true,
  several: 'latest',
  call: ({ key, apiUrl }, notification, { consoleUrl, nowMs }) => ({
    method: 'POST',
    url: `${apiUrl}/v2/enqueue`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ routing_key: key, ...pagerdutyEvent(notification, consoleUrl, nowMs) }),
    confined: true,
  }),
  judge: ({ status, retryAfter }) =>
    status === 429 && retryAfter === undefined
      ? { kind: 'retry', why: texts.deliveries.status(status), afterMs: limitedMs }
      : undefined,
});

/** PagerDuty asks for a few minutes, and says in no header how many. */
const limitedMs = 120_000;

const severities: Record<Severity, string> = {
  info: 'info',
  warning: 'warning',
  critical: 'critical',
  resolved: 'info',
};

export function pagerdutyEvent(notification: Notification, consoleUrl: string, nowMs: number): object {
  const { title, text, facts } = contentOf(notification);
  const event = {
    event_action: notification.severity === 'resolved' ? 'resolve' : 'trigger',
    dedup_key: groupIdOf(notification.groupKey, 255),
  };
  if (notification.severity === 'resolved') return event;
  return {
    ...event,
    client: 'Culprit',
    client_url: notification.url,
    links: [{ href: notification.url, text: mail.open }],
    payload: {
      summary: cut(title, 1024),
      source: notification.project?.slug ?? (new URL(consoleUrl).host || 'culprit'),
      severity: severities[notification.severity],
      timestamp: new Date(nowMs).toISOString(),
      ...(notification.issue?.culprit && { component: cut(notification.issue.culprit, 200) }),
      ...(notification.rule && { class: cut(notification.rule.name, 200) }),
      custom_details: Object.fromEntries([
        ...(text ? [['Text', text]] : []),
        ...facts.map(({ name, value }) => [name, value]),
      ]),
    },
  };
}

/**
 * Opsgenie, and Jira Service Management by its compatible address: an alert is made, and closed by the same alias.
 * https://docs.opsgenie.com/docs/alert-api
 */
import { z } from 'zod';
import { contentOf } from '../content.ts';
import { cut } from '../text.ts';
import type { Notification, NotificationField, Severity } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { groupIdOf } from './group-id.ts';
import { secretWord, serviceAddress } from './fields.ts';
import * as texts from '../../../base/texts/notifications.ts';

const Config = z.object({
  key: secretWord.describe('Key of an API integration.'),
  apiUrl: serviceAddress('https://api.opsgenie.com'),
});

export const opsgenie = channelKind({
  config: Config,
  secrets: ['key'],
  addresses: ['apiUrl'],
  recognisesRepeats: true,
  several: 'latest',
  call({ key, apiUrl }, notification) {
    const alias = groupIdOf(notification.groupKey, 512);
    const isOver = notification.severity === 'resolved';
    return {
      method: 'POST',
      url: isOver
        ? `${apiUrl}/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`
        : `${apiUrl}/v2/alerts`,
      headers: { 'content-type': 'application/json', authorization: `GenieKey ${key}` },
      body: JSON.stringify(
        isOver ? { source: 'Culprit', note: cut(notification.title, 1000) } : opsgenieAlert(notification),
      ),
      confined: true,
    };
  },
  judge({ status, retryAfter, headers }) {
    const seconds = Number(headers?.['x-ratelimit-period-in-sec']);
    return status === 429 && retryAfter === undefined && seconds > 0
      ? { kind: 'retry', why: texts.deliveries.status(status), afterMs: seconds * 1000 }
      : undefined;
  },
});

const priorities: Record<Severity, string> = { critical: 'P1', warning: 'P3', info: 'P4', resolved: 'P5' };

export function opsgenieAlert(notification: Notification): object {
  const { title, text, facts } = contentOf(notification);
  return {
    message: cut(title, 130),
    alias: groupIdOf(notification.groupKey, 512),
    description: cut([text, notification.url].filter((part) => part !== '').join('\n\n'), 15_000),
    priority: priorities[notification.severity],
    source: 'Culprit',
    ...(notification.project && {
      entity: cut(notification.project.slug, 512),
      tags: [cut(notification.project.slug, 50)],
    }),
    details: detailsOf([{ name: 'url', value: notification.url }, ...facts]),
  };
}

/** Of all names and values. */
const mostDetails = 8_000;

function detailsOf(facts: readonly NotificationField[]): Record<string, string> {
  const details: Record<string, string> = {};
  let left = mostDetails;
  for (const { name, value } of facts) {
    left -= name.length + value.length;
    if (left < 0) break;
    details[name] = value;
  }
  return details;
}

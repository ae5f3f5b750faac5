/** Opsgenie (and Jira Service Management's compatible API): an alert is made, and closed by the same alias. */
import { z } from 'zod';
import { contentOf } from '../content.ts';
import { cut } from '../text.ts';
import type { Notification, Severity } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { groupIdOf } from './group-id.ts';
import { secretWord, serviceAddress } from './fields.ts';

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
    details: Object.fromEntries([...facts.map(({ name, value }) => [name, value]), ['url', notification.url]]),
  };
}

/** How the caller is told. */
import type { z } from 'zod';
import * as notify from '../../domains/notify/index.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';

export function notificationRoutes(api: Api): void {
  const { state } = api.deps;

  implement(api, contract.getNotificationSettings, async ({ caller: { membership, identity } }) =>
    toSettings(
      await notify.getPersonalSettings(state.db, {
        userId: identity.userId,
        organizationId: membership.organizationId,
      }),
    ),
  );

  implement(api, contract.updateNotificationSettings, async ({ caller: { membership, identity }, body }) => {
    const owner = { userId: identity.userId, organizationId: membership.organizationId };
    const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    return toSettings(await notify.changePersonalSettings(state, owner, changes, Date.now()));
  });

  implement(api, contract.getMailStatus, async () => {
    const from = api.deps.notifier?.mailer?.from;
    return { configured: from !== undefined, from: from ?? '', setting: 'CULPRIT_SMTP_URL' };
  });
}

function toSettings(settings: notify.PersonalSettings): z.output<typeof contract.NotificationSettings> {
  const { quietHours, projects, ...rest } = settings;
  return {
    ...rest,
    quietHours: quietHours && { ...quietHours, days: [...quietHours.days] },
    projects: { ...projects },
  };
}

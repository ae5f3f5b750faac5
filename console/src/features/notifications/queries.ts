/** How the signed-in person is told. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type NotificationSettings = Schemas['NotificationSettings'];
export type NotificationSettingsUpdate = Schemas['NotificationSettingsUpdate'];
export type Reach = NotificationSettings['state'];

export const notificationSettingsQuery = (org: string) =>
  queryOptions({
    queryKey: ['notification-settings', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/notification-settings/', { params: { path: { org } }, signal }),
  });

export function saveNotificationSettings(org: string, body: NotificationSettingsUpdate): Promise<NotificationSettings> {
  return api.put('/api/0/organizations/{org}/notification-settings/', { params: { path: { org } }, body });
}

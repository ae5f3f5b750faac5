import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { mailQuery } from '../../features/channels/queries.ts';
import {
  notificationSettingsQuery,
  saveNotificationSettings,
  type NotificationSettings,
} from '../../features/notifications/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import styles from './NotificationsPage.module.css';
import { SettingsForm } from './SettingsForm.tsx';

/** What somebody hears of by mail, and when. */
export function NotificationsPage() {
  useTitle('Notifications', 'Settings');
  const org = useOrg();
  const { user } = useSession();
  const queries = useQueryClient();
  const settings = useQuery(notificationSettingsQuery(org));
  const mail = useQuery(mailQuery(org));
  const save = useMutation({
    mutationFn: (changed: NotificationSettings) => saveNotificationSettings(org, changed),
    onSuccess: (saved) => {
      queries.setQueryData(notificationSettingsQuery(org).queryKey, saved);
      toast('Saved');
    },
  });
  return (
    <>
      <SettingsBar />
      <Column>
        <Section title="Your notifications" note={`Mail to ${user.email}, about issues of this organisation.`}>
          {mail.data?.configured === false && (
            <p className={styles.notice}>
              This installation sends no mail yet: its owner sets <code>{mail.data.setting}</code>. What you choose here
              holds from then on.
            </p>
          )}
          {settings.isPending ? (
            <Skeleton rows={6} height={44} label="Loading your settings" />
          ) : settings.isError ? (
            <ErrorState
              error={settings.error}
              retry={() => void settings.refetch()}
              what="Your settings could not be loaded"
            />
          ) : (
            <SettingsForm
              key={JSON.stringify(settings.data)}
              settings={settings.data}
              busy={save.isPending}
              error={save.error}
              onSave={(changed) => save.mutate(changed)}
            />
          )}
        </Section>
      </Column>
    </>
  );
}

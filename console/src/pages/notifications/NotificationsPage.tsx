import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mailQuery } from '../../features/channels/queries.ts';
import { notificationSettingsQuery } from '../../features/notifications/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/notifications.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { SettingsForm } from './SettingsForm.tsx';

/** What someone is notified of by mail, and when. */
export function NotificationsPage() {
  useTitle(m.title, m.settings);
  const org = useOrg();
  const { user } = useSession();
  const settings = useQuery(notificationSettingsQuery(org));
  const projects = useQuery(projectsQuery(org));
  const mail = useQuery(mailQuery(org));
  const [discarded, setDiscarded] = useState(0);
  return (
    <>
      <SettingsBar />
      <Column>
        <Section title={m.yours} note={m.note({ email: user.email })}>
          {mail.data?.configured === false && (
            <Notice tone="warning">{m.noMail({ setting: <code>{mail.data.setting}</code> })}</Notice>
          )}
          <QueryView query={[settings, projects]} loading={m.loading} failed={m.failed} rows={6} height={44}>
            {([found]) => (
              <SettingsForm
                key={`${JSON.stringify(found)} ${discarded}`}
                settings={found}
                onDiscard={() => setDiscarded(discarded + 1)}
              />
            )}
          </QueryView>
        </Section>
      </Column>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../features/account/queries.ts';
import { PasskeysSection } from '../../features/factors/PasskeysSection.tsx';
import { TwoFactorSection } from '../../features/factors/TwoFactorSection.tsx';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/my-account.ts';
import { Column } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { DeleteAccount } from './DeleteAccount.tsx';
import { EmailSection } from './EmailSection.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';

/** The reader's own account: who they are, how they sign in, where they are signed in, and its end. */
export function AccountPage() {
  useTitle(m.title, m.settings);
  const account = useQuery(accountQuery);
  return (
    <>
      <SettingsBar />
      <Column>
        <QueryView query={account} loading={m.loading} failed={m.failed} rows={6} height={44}>
          {(found) => (
            <>
              <ProfileSection account={found} />
              <EmailSection account={found} />
              <PasswordSection email={found.email} hasPassword={found.hasPassword} />
              <TwoFactorSection email={found.email} hasPassword={found.hasPassword} />
              <PasskeysSection hasPassword={found.hasPassword} />
              <NotificationsSection />
              <SessionsSection policy={found.sessionPolicy} />
              <DeleteAccount account={found} />
            </>
          )}
        </QueryView>
      </Column>
    </>
  );
}

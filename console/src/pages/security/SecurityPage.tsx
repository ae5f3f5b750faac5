import { useQuery } from '@tanstack/react-query';
import { securityQuery } from '../../features/security/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/security.ts';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { AddressesForm } from './AddressesForm.tsx';
import { ProvisioningSection } from './ProvisioningSection.tsx';
import { ScrubbingSection } from './ScrubbingSection.tsx';
import { SharingForm } from './SharingForm.tsx';

/** What an organisation allows: share links, invitations by members, its addresses; and its directory. For owners. */
export function SecurityPage() {
  useTitle(m.title, m.settings);
  const settings = useQuery(securityQuery(useOrg()));
  return (
    <>
      <SettingsBar />
      <Column>
        <Section title={m.sharing}>
          <QueryView query={settings} loading={m.loading} failed={m.failed} rows={2} height={44}>
            {(found) => <SharingForm key={JSON.stringify(found)} settings={found} />}
          </QueryView>
        </Section>
        <Section title={m.addresses} note={m.addressesNote}>
          <QueryView query={settings} loading={m.loading} failed={m.failed} rows={2} height={44}>
            {(found) => <AddressesForm key={found.allowedAddresses.join()} settings={found} />}
          </QueryView>
        </Section>
        <ScrubbingSection />
        <ProvisioningSection />
      </Column>
    </>
  );
}

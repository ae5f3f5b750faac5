import { useMay, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/organization.ts';
import { Column, Section } from '../../ui/Page.tsx';
import { useTitle } from '../../ui/title.ts';
import { OrganizationForm } from './OrganizationForm.tsx';
import { Organizations } from './Organizations.tsx';
import { SessionLimits } from './SessionLimits.tsx';

/** What the organisation is called and what its members see; and the other organisations of the installation. */
export function OrganizationPage() {
  useTitle(m.title, m.settings);
  const mayLimit = useMay('org:admin');
  const { organization, organizations, closedOrganizations, mayCreateOrganizations } = useSession();
  return (
    <>
      <SettingsBar />
      <Column>
        <Section title={m.title}>
          <OrganizationForm key={organization.id} organization={organization} />
        </Section>
        {mayLimit && <SessionLimits key={organization.slug} />}
        {(organizations.length + closedOrganizations.length > 1 || mayCreateOrganizations) && <Organizations />}
      </Column>
    </>
  );
}

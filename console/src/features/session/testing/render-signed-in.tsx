/** A part of a page as an owner of the organisation `acme` sees it, for tests. */
import type { ReactNode } from 'react';
import { renderInApp } from '../../../ui/testing/in-app.tsx';
import { type Session, SessionContext } from '../organization.ts';

const organization: Session['organization'] = {
  id: '1',
  slug: 'acme',
  name: 'acme',
  dateCreated: '2026-01-01T00:00:00Z',
  status: { id: 'active', name: 'active' },
  isEarlyAdopter: false,
  require2FA: false,
  requireEmailVerification: false,
  features: [],
  links: { organizationUrl: '', regionUrl: '' },
  role: 'owner',
  access: [
    'org:read',
    'org:write',
    'org:admin',
    'org:ci',
    'member:write',
    'project:write',
    'project:admin',
    'project:releases',
    'event:write',
    'event:admin',
  ],
  memberAccess: 'all',
  shareLinks: true,
  seesAllProjects: true,
};

const session: Session = {
  user: { id: '1', email: 'ada@example.com', name: 'ada' },
  organization,
  organizations: [organization],
  closedOrganizations: [],
  mayCreateOrganizations: true,
  serverVersion: '0.0.0',
};

export const renderSignedIn = (part: ReactNode) =>
  renderInApp(<SessionContext.Provider value={session}>{part}</SessionContext.Provider>);

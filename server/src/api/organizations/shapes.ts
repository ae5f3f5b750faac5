/** An organisation as its member sees it. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import type { ClosedOrganization, Organization } from './contract.ts';
import { iso } from '../shared/read.ts';

export const toOrganization = (one: Membership, url: string): z.output<typeof Organization> => ({
  id: one.organizationId,
  slug: one.slug,
  name: one.name,
  dateCreated: iso(one.createdAt.getTime()),
  status: { id: 'active', name: 'active' },
  isEarlyAdopter: false,
  require2FA: false,
  requireEmailVerification: false,
  features: [],
  // Sentry's MCP server refuses one that is not https; without one all clients go on with the address that they have.
  links: { organizationUrl: url, ...(url.startsWith('https:') && { regionUrl: url }) },
  role: one.role || null,
  access: [...one.scopes],
  memberAccess: one.memberAccess,
  shareLinks: one.switches.shareLinks,
  seesAllProjects: one.within === undefined,
});

/** None where it is open. */
export const toClosed = ({ slug, name, unmet }: Membership): z.output<typeof ClosedOrganization>[] =>
  unmet ? [{ slug, name, reason: unmet.kind, providerId: unmet.kind === 'provider' ? unmet.providerId : null }] : [];

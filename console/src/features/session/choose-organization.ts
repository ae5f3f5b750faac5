import type { Organization } from './queries.ts';

export const organizationKey = 'culprit:organization';

/** Slug of the organisation that was worked in last. */
export function lastOrganization(): string | undefined {
  try {
    return localStorage.getItem(organizationKey) ?? undefined;
  } catch {
    // Without storage the first one is as good.
    return undefined;
  }
}

/** The organisation that was worked in last, else the first one. */
export function chooseOrganization(organizations: readonly Organization[]): Organization {
  const last = lastOrganization();
  const chosen = organizations.find((each) => each.slug === last) ?? organizations[0];
  if (!chosen) throw new Error('Your account is in no organisation. Ask an owner to add you.');
  return chosen;
}

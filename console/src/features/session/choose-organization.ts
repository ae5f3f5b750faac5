import type { Organization } from './queries.ts';

export const organizationKey = 'culprit:organization';

/** The organisation that was worked in last, else the first one. */
export function chooseOrganization(organizations: readonly Organization[]): Organization {
  let last: string | null = null;
  try {
    last = localStorage.getItem(organizationKey);
  } catch {
    // Without storage the first one is as good.
  }
  const chosen = organizations.find((each) => each.slug === last) ?? organizations[0];
  if (!chosen) throw new Error('Your account is in no organisation. Ask an owner to add you.');
  return chosen;
}

import { organizationKey } from './choose-organization.ts';

/** From now on this is the one that is worked in. */
export function rememberOrganization(slug: string): void {
  try {
    localStorage.setItem(organizationKey, slug);
  } catch {
    // Without storage the first one is shown.
  }
}

import { rememberOrganization } from './remember-organization.ts';

/** From now on this one is worked in. A new page: nothing of the one before stays in it. */
export function switchOrganization(slug: string): void {
  rememberOrganization(slug);
  globalThis.location.assign('/');
}

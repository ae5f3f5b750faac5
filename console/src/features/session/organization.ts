import { createContext, useContext } from 'react';
import type { ClosedOrganization, Organization, Self } from './queries.ts';

export interface Session {
  readonly user: NonNullable<Self['user']>;
  readonly organization: Organization;
  /** All that they are in. */
  readonly organizations: readonly Organization[];
  /** Those that the session cannot enter until it has shown more. */
  readonly closedOrganizations: readonly ClosedOrganization[];
  readonly mayCreateOrganizations: boolean;
  readonly serverVersion: string;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('a signed-in page was drawn outside the shell');
  return session;
}

/** Slug of the organisation, part of nearly every call. */
export function useOrg(): string {
  return useSession().organization.slug;
}

/** What a control needs of who uses it; the server says the same of the call behind it. */
export type Scope =
  | 'org:admin'
  | 'org:write'
  | 'org:ci'
  | 'member:invite'
  | 'member:write'
  | 'project:write'
  | 'project:admin'
  | 'project:releases'
  | 'event:write'
  | 'event:admin';

/** Whether who is signed in may do that here. What they may not do is not offered. */
export const useMay = (scope: Scope): boolean => useSession().organization.access.includes(scope);

import { createContext, useContext } from 'react';
import type { Organization, Self } from './queries.ts';

export interface Session {
  readonly user: NonNullable<Self['user']>;
  readonly organization: Organization;
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

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { membersQuery, teamsQuery } from '../people/queries.ts';
import { useOrg } from '../session/organization.ts';
import type { Named } from './completion.ts';

/** Whom a comment can name: for completion, and with their signs for what stands out. */
export function useNames(): { readonly people: readonly Named[]; readonly names: ReadonlySet<string> } {
  const org = useOrg();
  const { data: members } = useQuery(membersQuery(org));
  const { data: teams } = useQuery(teamsQuery(org));
  return useMemo(() => {
    const people: Named[] = [
      ...(members ?? [])
        .filter(({ pending }) => !pending)
        .map(({ handle, name }) => ({ kind: 'user' as const, handle, name })),
      ...(teams ?? []).map(({ slug, name }) => ({ kind: 'team' as const, handle: slug, name })),
    ];
    return { people, names: new Set(people.map(({ kind, handle }) => `${kind === 'user' ? '@' : '#'}${handle}`)) };
  }, [members, teams]);
}

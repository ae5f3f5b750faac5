import { useQueryClient } from '@tanstack/react-query';
import { ownershipQuery } from '../../features/ownership/queries.ts';
import { useOrg } from '../../features/session/organization.ts';

/** The organisation, and what shows a change of its CODEOWNERS files. */
export function useFiles(slug: string) {
  const org = useOrg();
  const queries = useQueryClient();
  return { org, refresh: () => queries.invalidateQueries({ queryKey: ownershipQuery(org, slug).queryKey }) };
}

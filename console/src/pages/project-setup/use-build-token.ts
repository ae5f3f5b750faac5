import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useOrg } from '../../features/session/organization.ts';
import { createToken } from '../../features/tokens/queries.ts';
import * as m from '../../messages/project-setup.ts';

/** One token for all that builds of the project upload; each part of the page shows it. */
export function useBuildToken(project: string) {
  const org = useOrg();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => createToken(org, { name: m.tokenName({ project }), kind: 'organization' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens', org] }),
  });
}

export type BuildToken = ReturnType<typeof useBuildToken>;

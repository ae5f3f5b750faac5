/** What the console starts with, in one answer: who is signed in, their organisations, the projects of the one worked in. */
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { staticStaleTimeMs } from '../freshness.ts';
import { projectsQuery } from '../projects/queries.ts';
import { chooseOrganization, lastOrganization } from './choose-organization.ts';

declare global {
  interface Window {
    /** What index.html asked while this script was on its way. Taken once. */
    culpritBoot?: Promise<Response> | undefined;
  }
}

export const bootQuery = queryOptions({
  queryKey: ['boot'],
  queryFn: async ({ signal, client }) => {
    const asked = window.culpritBoot;
    window.culpritBoot = undefined;
    const boot = await api.get('/api/0/boot/', { params: { query: { org: lastOrganization() } }, signal }, asked);
    if (boot.projects && boot.organizations.length > 0) {
      client.setQueryData(projectsQuery(chooseOrganization(boot.organizations).slug).queryKey, boot.projects);
    }
    return boot;
  },
  staleTime: staticStaleTimeMs,
});

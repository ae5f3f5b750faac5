/** What the console starts with, in one answer: who is signed in, their organisations, the projects of the one worked in. */
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { forgetAsked } from '../../api/asked.ts';
import { setTheme } from '../../ui/theme.ts';
import { staticStaleTimeMs } from '../freshness.ts';
import { projectsQuery } from '../projects/queries.ts';
import { chooseOrganization, lastOrganization } from './choose-organization.ts';
import { setTimeZone } from '../../ui/time-zone.ts';
import { rememberOrganization } from './remember-organization.ts';

export const bootQuery = queryOptions({
  queryKey: ['boot'],
  queryFn: async ({ signal, client }) => {
    const boot = await api.get('/api/0/boot/', { params: { query: { org: lastOrganization() } }, signal });
    if (boot.organizations.length > 0) {
      const { slug } = chooseOrganization(boot.organizations);
      if (boot.projects) client.setQueryData(projectsQuery(slug).queryKey, boot.projects);
      // The next start asks for the first page beside this.
      rememberOrganization(slug);
    } else forgetAsked();
    const { timeZone, theme } = boot.preferences ?? {};
    setTimeZone(timeZone);
    // Perhaps chosen in another browser; this one has its own from before the first paint.
    if (theme) setTheme(theme);
    return boot;
  },
  staleTime: staticStaleTimeMs,
});

import { getRouteApi } from '@tanstack/react-router';
import { ofItsProject } from '../../features/filters/travel.ts';
import { lazily } from '../../ui/lazily.tsx';
import { QueryList } from './QueryList.tsx';

const route = getRouteApi('/shell/performance/queries');

const QueryPage = lazily(async () => (await import('./QueryPage.tsx')).QueryPage);

/** All queries, or the one that the address names. */
export function QueriesPage() {
  const search = route.useSearch();
  return search.query ? <QueryPage search={ofItsProject(search)} /> : <QueryList search={search} />;
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/grouping-rules.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { GroupingForm } from './GroupingForm.tsx';

const route = getRouteApi('/shell/projects/$slug/settings/grouping');

/** How the events of a project become issues: its rules, the version of the algorithm, and what a change would do. */
export function GroupingPage() {
  const org = useOrg();
  const { slug } = route.useParams();
  const { rule } = route.useSearch();
  const project = useQuery(projectQuery(org, slug));
  useTitle(m.titleOnly, project.data?.name ?? slug);
  return (
    <QueryView query={project} loading={m.loading} failed={m.failed} rows={8}>
      {(known) => (
        <>
          <PageBar title={m.title({ project: known.name })}>
            <Link to="/projects/$slug/settings" params={{ slug }} className={buttonClass('ghost', 'small')}>
              {m.allSettings}
            </Link>
            <Link to="/issues" search={{ project: slug }} className={buttonClass('ghost', 'small')}>
              {m.issues}
            </Link>
          </PageBar>
          <Column wide>
            <GroupingForm key={known.id} project={known} rule={rule} />
          </Column>
        </>
      )}
    </QueryView>
  );
}

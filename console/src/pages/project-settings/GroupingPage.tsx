import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { GroupingForm } from './GroupingForm.tsx';

const route = getRouteApi('/shell/projects/$slug/settings/grouping');

/** How the events of a project become issues: its rules, the version of the algorithm, and what a change would do. */
export function GroupingPage() {
  const org = useOrg();
  const { slug } = route.useParams();
  const { rule } = route.useSearch();
  const project = useQuery(projectQuery(org, slug));
  useTitle('Grouping', project.data?.name ?? slug);
  if (project.isPending) return <Skeleton rows={8} height={56} label="Loading grouping" />;
  if (project.isError)
    return (
      <ErrorState error={project.error} retry={() => void project.refetch()} what="The rules could not be loaded" />
    );
  return (
    <>
      <PageBar title={`Grouping of ${project.data.name}`}>
        <Link to="/projects/$slug/settings" params={{ slug }} className={buttonClass('ghost', 'small')}>
          All settings
        </Link>
        <Link to="/issues" search={{ project: slug }} className={buttonClass('ghost', 'small')}>
          Issues
        </Link>
      </PageBar>
      <Column wide>
        <GroupingForm key={project.data.id} project={project.data} rule={rule} />
      </Column>
    </>
  );
}

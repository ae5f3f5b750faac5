import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { DeleteProject } from './DeleteProject.tsx';
import { DiscardedSection } from './DiscardedSection.tsx';
import { GeneralSection } from './GeneralSection.tsx';
import { GroupingSection } from './GroupingSection.tsx';
import { KeysSection } from './KeysSection.tsx';
import { OwnershipSection } from './OwnershipSection.tsx';
import { PerformanceSection } from './PerformanceSection.tsx';
import { PrivacySection } from './PrivacySection.tsx';

const route = getRouteApi('/shell/projects/$slug/settings');

export function ProjectSettingsPage() {
  const org = useOrg();
  const { slug } = route.useParams();
  const project = useQuery(projectQuery(org, slug));
  useTitle('Settings', project.data?.name ?? slug);
  if (project.isPending) return <Skeleton rows={8} height={56} label="Loading settings" />;
  if (project.isError)
    return (
      <ErrorState error={project.error} retry={() => void project.refetch()} what="The settings could not be loaded" />
    );
  return (
    <>
      <PageBar title={`${project.data.name} settings`}>
        <Link to="/projects/$slug/setup" params={{ slug }} className={buttonClass('ghost', 'small')}>
          Set-up steps
        </Link>
        <Link to="/issues" search={{ project: slug }} className={buttonClass('ghost', 'small')}>
          Issues
        </Link>
      </PageBar>
      <Column>
        <GeneralSection key={`general-${project.data.id}`} project={project.data} />
        <KeysSection project={project.data} />
        <PrivacySection key={`privacy-${project.data.id}`} project={project.data} />
        <GroupingSection project={project.data} />
        <OwnershipSection slug={slug} />
        <PerformanceSection key={`performance-${project.data.id}`} project={project.data} />
        <DiscardedSection slug={slug} />
        <DeleteProject project={project.data} />
      </Column>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-settings.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { DebugFilesSection } from './DebugFilesSection.tsx';
import { DeleteProject } from './DeleteProject.tsx';
import { DiscardedSection } from './DiscardedSection.tsx';
import { FiltersSection } from './FiltersSection.tsx';
import { GeneralSection } from './GeneralSection.tsx';
import { GroupingSection } from './GroupingSection.tsx';
import { KeysSection } from './KeysSection.tsx';
import { MirrorSection } from './MirrorSection.tsx';
import { OwnershipSection } from './OwnershipSection.tsx';
import { PerformanceSection } from './PerformanceSection.tsx';
import { PrivacySection } from './PrivacySection.tsx';
import { ScrubbingSection } from './ScrubbingSection.tsx';

const route = getRouteApi('/shell/projects/$slug/settings');

export function ProjectSettingsPage() {
  const org = useOrg();
  const { slug } = route.useParams();
  const project = useQuery(projectQuery(org, slug));
  useTitle(m.titleOnly, project.data?.name ?? slug);
  return (
    <QueryView query={project} loading={m.loading} failed={m.failed} rows={8}>
      {(known) => (
        <>
          <PageBar title={m.title({ project: known.name })}>
            <Link to="/projects/$slug/setup" params={{ slug }} className={buttonClass('ghost', 'small')}>
              {m.setup}
            </Link>
            <Link to="/issues" search={{ project: slug }} className={buttonClass('ghost', 'small')}>
              {m.issues}
            </Link>
          </PageBar>
          <Column>
            <GeneralSection key={`general-${known.id}`} project={known} />
            <KeysSection project={known} />
            {!known.isInternal && <MirrorSection slug={slug} />}
            <PrivacySection key={`privacy-${known.id}`} project={known} />
            <ScrubbingSection slug={slug} />
            {!known.isInternal && <FiltersSection slug={slug} />}
            <GroupingSection project={known} />
            <OwnershipSection slug={slug} />
            <PerformanceSection key={`performance-${known.id}`} project={known} />
            <DebugFilesSection slug={slug} />
            <DiscardedSection slug={slug} />
            <DeleteProject project={known} />
          </Column>
        </>
      )}
    </QueryView>
  );
}

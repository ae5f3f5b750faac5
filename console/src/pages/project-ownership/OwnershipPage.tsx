import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ownershipQuery } from '../../features/ownership/queries.ts';
import { projectQuery } from '../../features/projects/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { CodeownersSection } from './CodeownersSection.tsx';
import { OwnershipForm } from './OwnershipForm.tsx';

const route = getRouteApi('/shell/projects/$slug/settings/ownership');

/** Whose the issues of a project are: rules, CODEOWNERS, and who the latest issues would go to. */
export function OwnershipPage() {
  const org = useOrg();
  const { organization } = useSession();
  const { slug } = route.useParams();
  const project = useQuery(projectQuery(org, slug));
  const ownership = useQuery(ownershipQuery(org, slug));
  const name = project.data?.name ?? slug;
  useTitle('Ownership', name);
  const mayChange = organization.access.includes('project:write');
  return (
    <>
      <PageBar title={`Ownership of ${name}`}>
        <Link to="/projects/$slug/settings" params={{ slug }} className={buttonClass('ghost', 'small')}>
          All settings
        </Link>
        <Link to="/settings/teams" className={buttonClass('ghost', 'small')}>
          Teams
        </Link>
      </PageBar>
      <Column wide>
        {ownership.isPending ? (
          <Skeleton rows={6} height={56} label="Loading the rules" />
        ) : ownership.isError ? (
          <ErrorState
            error={ownership.error}
            retry={() => void ownership.refetch()}
            what="The rules could not be loaded"
          />
        ) : (
          <>
            <OwnershipForm key={slug} slug={slug} ownership={ownership.data} mayChange={mayChange} />
            <CodeownersSection slug={slug} files={ownership.data.codeowners} mayChange={mayChange} />
          </>
        )}
      </Column>
    </>
  );
}

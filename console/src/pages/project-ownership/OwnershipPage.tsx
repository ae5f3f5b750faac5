import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ownershipQuery } from '../../features/ownership/queries.ts';
import { projectQuery } from '../../features/projects/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import * as m from '../../messages/ownership-rules.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
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
  useTitle(m.titleOnly, name);
  const mayChange = organization.access.includes('project:write');
  return (
    <>
      <PageBar title={m.title({ project: name })}>
        <Link to="/projects/$slug/settings" params={{ slug }} className={buttonClass('ghost', 'small')}>
          {m.allSettings}
        </Link>
        <Link to="/settings/teams" className={buttonClass('ghost', 'small')}>
          {m.teams}
        </Link>
      </PageBar>
      <Column wide>
        <QueryView query={ownership} loading={m.loading} failed={m.failed} rows={6}>
          {(saved) => (
            <>
              <OwnershipForm key={slug} slug={slug} ownership={saved} mayChange={mayChange} />
              <CodeownersSection slug={slug} files={saved.codeowners} mayChange={mayChange} />
            </>
          )}
        </QueryView>
      </Column>
    </>
  );
}

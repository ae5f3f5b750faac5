import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AddIcon } from '../../ui/icons.ts';
import { useLive } from '../../features/live/live.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/projects.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { none } from './empty.ts';
import { ProjectRow } from './ProjectRow.tsx';

export function ProjectsPage() {
  useTitle(m.title);
  const projects = useQuery(projectsQuery(useOrg()));
  useLive((message) => {
    if (message.type === 'events' && message.first) void projects.refetch();
  });
  const may = useMay('project:write');
  return (
    <>
      <PageBar title={m.title}>
        {may && Boolean(projects.data?.length) && (
          <Link to="/projects/new" className={buttonClass('primary', 'small')}>
            <AddIcon size={14} /> {m.newProject}
          </Link>
        )}
      </PageBar>
      <Column>
        <QueryView
          query={projects}
          loading={m.loading}
          failed={m.failed}
          rows={4}
          empty={<Empty of={none} mayAct={may} />}
        >
          {(all) => (
            <DataList>
              {all.map((project) => (
                <ProjectRow key={project.id} project={project} />
              ))}
            </DataList>
          )}
        </QueryView>
      </Column>
    </>
  );
}

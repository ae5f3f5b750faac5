import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AddIcon, SettingsIcon } from '../../ui/icons.ts';
import { useLive } from '../../features/live/live.ts';
import { platformName } from '../../features/projects/platforms.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Card, Column, PageBar } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import styles from './ProjectsPage.module.css';

export function ProjectsPage() {
  useTitle('Projects');
  const org = useOrg();
  const projects = useQuery(projectsQuery(org));
  useLive((message) => {
    if (message.type === 'events' && message.first) void projects.refetch();
  });
  const add = (
    <Link to="/projects/new" className={buttonClass('primary', 'small')}>
      <AddIcon size={14} /> New project
    </Link>
  );
  return (
    <>
      <PageBar title="Projects">{add}</PageBar>
      <Column>
        {projects.isPending ? (
          <Skeleton rows={4} height={56} label="Loading projects" />
        ) : projects.isError ? (
          <ErrorState
            error={projects.error}
            retry={() => void projects.refetch()}
            what="The projects could not be loaded"
          />
        ) : projects.data.length === 0 ? (
          <EmptyState title="No project yet">
            <p>A project is one application or service that sends its errors here.</p>
            {add}
          </EmptyState>
        ) : (
          <Card>
            <ul>
              {projects.data.map((project) => (
                <li key={project.id} className={styles.row}>
                  <div className={styles.what}>
                    <Link to="/issues" search={{ project: project.slug }} className={styles.name}>
                      {project.name}
                    </Link>
                    <span className={styles.sub}>
                      <code>{project.slug}</code>
                      {project.isInternal && <span>failures of Culprit itself</span>}
                      {project.platform && <span>{platformName(project.platform)}</span>}
                      <span>
                        since <Time at={project.dateCreated} />
                      </span>
                    </span>
                  </div>
                  {project.firstEvent === null && !project.firstTransactionEvent && (
                    <Link to="/projects/$slug/setup" params={{ slug: project.slug }} className={styles.waiting}>
                      <Flag kind="regressed">waiting for the first event</Flag>
                    </Link>
                  )}
                  <Link
                    to="/projects/$slug/settings"
                    params={{ slug: project.slug }}
                    className={buttonClass('ghost', 'small')}
                    aria-label={`Settings of ${project.name}`}
                  >
                    <SettingsIcon size={14} /> <span className={styles.settings}>Settings</span>
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Column>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { Evidence } from '../../features/find/Evidence.tsx';
import type { FindAnswer, FindScope } from '../../features/find/queries.ts';
import { WatchButton } from '../../features/find/WatchButton.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';
import styles from './FindPage.module.css';
import { Patience } from './Patience.tsx';

const titles: Readonly<Record<string, string>> = {
  digest: 'No event has this digest yet',
  event: 'No event, trace or span has this id yet',
  trace: 'Nothing of this trace has arrived yet',
  span: 'No span has this id yet',
  issue: 'There is no issue of this name',
};

/** Nothing stored matches: what is known instead, what may still come, and how to be told. */
export function Nothing({
  answer,
  scope,
  until,
  again,
  onScope,
}: {
  readonly answer: Extract<FindAnswer, { kind: 'nothing' }>;
  readonly scope: FindScope;
  readonly until: number;
  readonly again: () => void;
  readonly onScope: (scope: FindScope) => void;
}) {
  const { digest, evidence, understood } = answer;
  const title = understood.map(({ kind }) => titles[kind]).find(Boolean) ?? 'Nothing matches';
  const narrowed = scope.range !== undefined || scope.start !== undefined;
  return (
    <>
      <div className={styles.head}>
        <div role="status">
          <h2>{narrowed ? `${title.replace(/ yet$/, '')} in this time` : title}</h2>
        </div>
        <Patience until={until} again={again} />
        <div className={styles.act}>
          {digest && (
            <>
              <WatchButton request={{ digest, host: evidence.host, project: scope.project }} watch={evidence.watch} />
              <span>
                {evidence.watch ? 'You will be notified here when it arrives.' : 'Notify me when it arrives.'}
              </span>
            </>
          )}
          {narrowed && (
            <Button onClick={() => onScope({ ...scope, range: undefined, start: undefined, end: undefined })}>
              Look at all times
            </Button>
          )}
        </div>
      </div>
      {!evidence.hostKnown && !scope.project && (
        <Projects host={evidence.host} projects={evidence.projects} onScope={onScope} />
      )}
      <Evidence evidence={evidence} label="What is known" />
    </>
  );
}

/** Where it came from is not known: a project narrows what is known, and each says how to send data. */
function Projects({
  host,
  projects,
  onScope,
}: {
  readonly host: string | null;
  readonly projects: Extract<FindAnswer, { kind: 'nothing' }>['evidence']['projects'];
  readonly onScope: (scope: FindScope) => void;
}) {
  const [only] = projects;
  return (
    <Section
      title={host ? `No event ever came from ${host}` : 'Where was it seen?'}
      note={
        projects.length > 1
          ? 'Choose the project to see what is known of it alone.'
          : host
            ? 'Is this application set up to report here?'
            : 'The text does not say on which host.'
      }
    >
      <div className={styles.projects}>
        {projects.length > 1 &&
          projects.map((project) => (
            <Button key={project.id} onClick={() => onScope({ project: project.slug })}>
              {project.name}
            </Button>
          ))}
        {projects.length === 1 && only ? (
          <Link to="/projects/$slug/setup" params={{ slug: only.slug }} className={buttonClass()}>
            Check the set-up of {only.name}
          </Link>
        ) : (
          <Link to="/projects/new" className={buttonClass('ghost')}>
            Set up another project
          </Link>
        )}
      </div>
    </Section>
  );
}

import { Link } from '@tanstack/react-router';
import { useMay } from '../../features/session/organization.ts';
import * as m from '../../messages/find.ts';
import { lasting } from '../../features/filters/filters.ts';
import { Evidence } from '../../features/find/Evidence.tsx';
import type { FindAnswer, FindScope } from '../../features/find/queries.ts';
import { WatchButton } from '../../features/find/WatchButton.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { Headline } from './Headline.tsx';
import { Patience } from './Patience.tsx';

type Nothing = Extract<FindAnswer, { kind: 'nothing' }>;

type Named = keyof typeof m.nothing;
const isNamed = (kind: string): kind is Named => Object.hasOwn(m.nothing, kind);

/** Nothing stored matches: what is known instead, what may still arrive, and how to be notified. */
export function NothingFound({
  answer,
  scope,
  until,
  again,
  onScope,
}: {
  readonly answer: Nothing;
  readonly scope: FindScope;
  readonly until: number;
  readonly again: () => void;
  readonly onScope: (scope: FindScope) => void;
}) {
  const { digest, evidence, understood } = answer;
  const kind = understood.map((part): string => part.kind).find(isNamed) ?? 'other';
  const narrowed = scope.range !== undefined || scope.start !== undefined;
  return (
    <>
      <Headline title={(narrowed ? m.nothingThen : m.nothing)[kind]}>
        <Patience until={until} again={again} />
        <Inline>
          {digest && (
            <>
              <WatchButton request={{ digest, host: evidence.host, project: scope.project }} watch={evidence.watch} />
              <Text>{evidence.watch ? m.watched : m.watchHint}</Text>
            </>
          )}
          {narrowed && <Button onClick={() => onScope({ ...scope, ...lasting() })}>{m.searchAllTimes}</Button>}
        </Inline>
      </Headline>
      {!evidence.hostKnown && !scope.project && (
        <Projects host={evidence.host} projects={evidence.projects} onScope={onScope} />
      )}
      <Evidence evidence={evidence} label={m.evidence} />
    </>
  );
}

/** The host is unknown: a project narrows what is known, and each has a setup. */
function Projects({
  host,
  projects,
  onScope,
}: {
  readonly host: string | null;
  readonly projects: Nothing['evidence']['projects'];
  readonly onScope: (scope: FindScope) => void;
}) {
  const [only] = projects;
  const mayCreate = useMay('project:write');
  return (
    <Section
      title={host ? m.noEventFromHost({ host }) : m.whereSeen}
      note={projects.length > 1 ? m.chooseProject : host ? m.isHostSetUp : m.noHost}
    >
      <Inline>
        {projects.length > 1 &&
          projects.map((project) => (
            <Button key={project.id} onClick={() => onScope({ project: project.slug })}>
              <span translate="no">{project.name}</span>
            </Button>
          ))}
        {projects.length === 1 && only ? (
          <Link to="/projects/$slug/setup" params={{ slug: only.slug }} className={buttonClass()}>
            {m.checkSetup({ project: only.name })}
          </Link>
        ) : (
          mayCreate && (
            <Link to="/projects/new" className={buttonClass('ghost')}>
              {m.newProject}
            </Link>
          )
        )}
      </Inline>
    </Section>
  );
}

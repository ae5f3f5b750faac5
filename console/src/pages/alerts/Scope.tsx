import { useQuery } from '@tanstack/react-query';
import { environmentsQuery, projectsQuery } from '../../features/projects/queries.ts';
import { membersQuery, teamsQuery } from '../../features/people/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { fieldLabelClass, SelectField } from '../../ui/Field.tsx';
import { FieldRow } from '../../ui/Form.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { PartNote } from './PartNote.tsx';
import type { PartProps } from './RuleForm.tsx';
import styles from './RulePage.module.css';

const SearchBox = lazily(
  async () => (await import('../../features/search-box/SearchBox.tsx')).SearchBox,
  <div className={styles.filterSpace} />,
);

/** Where the rule applies: projects, environment, a filter; and who owns it. */
export function Scope({ draft, problems, onChange, error }: PartProps & { readonly error: unknown }) {
  return (
    <Section title={m.scopeTitle}>
      <Projects draft={draft} problems={problems} onChange={onChange} />
      <FieldRow>
        <Environment draft={draft} problems={problems} onChange={onChange} />
        <Owner draft={draft} problems={problems} onChange={onChange} />
      </FieldRow>
      <Filter draft={draft} problems={problems} onChange={onChange} error={error} />
    </Section>
  );
}

function Projects({ draft, problems, onChange }: PartProps) {
  const { data: projects = [] } = useQuery(projectsQuery(useOrg()));
  const chosen = draft.projectIds;
  return (
    <Stack gap={4}>
      <div className={styles.projects}>
        <ChoiceGroup label={m.projects}>
          {projects.map(({ id, name, isInternal }) => (
            <Choice
              key={id}
              label={<span translate="no">{name}</span>}
              hint={isInternal && m.internal}
              checked={chosen.includes(id)}
              onChange={(event) =>
                onChange({ projectIds: event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id) })
              }
            />
          ))}
        </ChoiceGroup>
      </div>
      <PartNote problem={problems['projects']}>{chosen.length ? m.projectsHint : m.projectsAll}</PartNote>
    </Stack>
  );
}

function Environment({ draft, problems, onChange }: PartProps) {
  const { data: environments = [] } = useQuery(environmentsQuery(useOrg()));
  const own = draft.environment;
  const names = environments.map(({ name }) => name);
  return (
    <SelectField
      label={m.environment}
      hint={m.environmentHint}
      error={problems['environment']}
      value={own}
      onChange={(event) => onChange({ environment: event.target.value })}
    >
      <option value="">{m.allEnvironments}</option>
      {(own && !names.includes(own) ? [own, ...names] : names).map((name) => (
        <option key={name} value={name} translate="no">
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function Owner({ draft, problems, onChange }: PartProps) {
  const org = useOrg();
  const { user } = useSession();
  const { data: teams = [] } = useQuery(teamsQuery(org));
  const { data: members = [] } = useQuery(membersQuery(org));
  const others = members.flatMap((member) => (member.user && member.user.id !== user.id ? member.user : []));
  const owners = [
    ...teams.map(({ id, slug }) => ({ value: `team:${id}`, label: `#${slug}` })),
    ...others.map(({ id, name, email }) => ({ value: `user:${id}`, label: name || email })),
  ];
  const me = `user:${user.id}`;
  return (
    <SelectField
      label={m.owner}
      hint={m.ownerHint}
      error={problems['owner']}
      value={draft.owner}
      onChange={(event) => onChange({ owner: event.target.value })}
    >
      <option value="">{m.noOwner}</option>
      {draft.owner && draft.owner !== me && !owners.some(({ value }) => value === draft.owner) && (
        <option value={draft.owner}>{m.formerMember}</option>
      )}
      <option value={me}>{m.me({ name: user.name || user.email })}</option>
      {owners.map(({ value, label }) => (
        <option key={value} value={value} translate="no">
          {label}
        </option>
      ))}
    </SelectField>
  );
}

function Filter({ draft, problems, onChange, error }: PartProps & { readonly error: unknown }) {
  const { dataset } = draft.metric;
  if (draft.kind === 'metric' && dataset === 'sessions')
    return draft.query ? (
      <Inline>
        <PartNote problem={m.sessionsFilter({ query: draft.query })} />
        <Button size="small" onClick={() => onChange({ query: '' })}>
          {m.removeFilter}
        </Button>
      </Inline>
    ) : null;
  const dataSet = draft.kind === 'issue' ? 'issues' : dataset === 'errors' ? 'events' : 'spans';
  return (
    <Stack gap={4}>
      <p className={fieldLabelClass} aria-hidden="true">
        {m.filter}
      </p>
      <SearchBox
        key={dataSet}
        value={draft.query}
        dataSet={dataSet}
        label={m.filter}
        placeholder={dataSet === 'spans' ? m.spansFilterExample : m.eventsFilterExample}
        error={problems['query'] ? error : undefined}
        projectIds={draft.projectIds.length ? draft.projectIds : undefined}
        onSearch={(query) => onChange({ query })}
        onLeave={(query) => query !== draft.query && onChange({ query })}
      />
      <PartNote>{m.filterHint}</PartNote>
    </Stack>
  );
}

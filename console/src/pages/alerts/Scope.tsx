import { useQuery } from '@tanstack/react-query';
import { environmentsQuery, projectsQuery } from '../../features/projects/queries.ts';
import { SearchBox } from '../../features/search-box/SearchBox.tsx';
import { membersQuery, teamsQuery } from '../../features/people/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SelectField } from '../../ui/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import type { PartProps } from './RuleForm.tsx';
import styles from './RulePage.module.css';

/** Where the rule looks: projects, environment, a search; and whose it is. */
export function Scope({ draft, problems, onChange, error }: PartProps & { readonly error: unknown }) {
  const org = useOrg();
  const { user } = useSession();
  const { data: projects = [] } = useQuery(projectsQuery(org));
  const { data: environments = [] } = useQuery(environmentsQuery(org));
  const { data: teams = [] } = useQuery(teamsQuery(org));
  const { data: members = [] } = useQuery(membersQuery(org));
  const others = members.flatMap((member) => (member.user && member.user.id !== user.id ? member.user : []));
  const owners = [
    { value: `user:${user.id}`, label: `me, ${user.name || user.email}` },
    ...teams.map(({ id, slug }) => ({ value: `team:${id}`, label: `#${slug}` })),
    ...others.map(({ id, name, email }) => ({ value: `user:${id}`, label: name || email })),
  ];
  const { dataset } = draft.metric;
  const hasSearch = draft.kind === 'issue' || dataset !== 'sessions';
  const dataSet = draft.kind === 'issue' ? 'issues' : dataset === 'errors' ? 'events' : 'spans';
  return (
    <Section title="Where">
      <fieldset className={styles.choices}>
        <legend>Projects</legend>
        <div className={styles.boxes}>
          {projects.map(({ id, name, isInternal }) => (
            <label key={id} className={styles.box}>
              <input
                type="checkbox"
                checked={draft.projectIds.includes(id)}
                onChange={(event) =>
                  onChange({
                    projectIds: event.target.checked
                      ? [...draft.projectIds, id]
                      : draft.projectIds.filter((each) => each !== id),
                  })
                }
              />
              {name}
              {isInternal && <span className={styles.faint}>this installation</span>}
            </label>
          ))}
        </div>
        <p className={problems['projects'] ? styles.wrong : styles.faint}>
          {problems['projects'] ??
            (draft.projectIds.length ? 'Only those that are ticked.' : 'None is ticked: all, also those to come.')}
        </p>
      </fieldset>
      <div className={styles.fields}>
        <SelectField
          label="Environment"
          hint="Where the events come from."
          error={problems['environment']}
          value={draft.environment}
          onChange={(event) => onChange({ environment: event.target.value })}
        >
          <option value="">all</option>
          {draft.environment && !environments.some(({ name }) => name === draft.environment) && (
            <option value={draft.environment}>{draft.environment}</option>
          )}
          {environments.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Owner"
          hint="Whom to ask about the rule."
          error={problems['owner']}
          value={draft.owner}
          onChange={(event) => onChange({ owner: event.target.value })}
        >
          <option value="">nobody</option>
          {draft.owner && !owners.some(({ value }) => value === draft.owner) && (
            <option value={draft.owner}>a former member</option>
          )}
          {owners.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      {hasSearch ? (
        <div className={styles.filter}>
          <p className={styles.label} aria-hidden="true">
            Filter
          </p>
          <SearchBox
            key={dataSet}
            value={draft.query}
            dataSet={dataSet}
            label="Filter"
            placeholder={
              dataSet === 'spans' ? 'span.op:db, transaction:/checkout' : 'level:fatal, transaction:/checkout'
            }
            error={problems['query'] ? error : undefined}
            projectIds={draft.projectIds.length ? draft.projectIds : undefined}
            onSearch={(query) => onChange({ query })}
            onLeave={(query) => query !== draft.query && onChange({ query })}
          />
          <p className={styles.faint}>Only what fits this search. Empty: everything.</p>
        </div>
      ) : (
        draft.query && (
          <p className={styles.wrong}>
            Sessions have only an environment to be filtered by: “{draft.query}” is in the way.{' '}
            <button type="button" className={styles.inline} onClick={() => onChange({ query: '' })}>
              Remove it
            </button>
          </p>
        )
      )}
    </Section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { localZone, QuietHoursFields } from '../../features/notifications/QuietHoursFields.tsx';
import type { NotificationSettings, Reach } from '../../features/notifications/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField, Toggle } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { Card } from '../../ui/Page.tsx';
import styles from './NotificationsPage.module.css';

const reaches: readonly (readonly [Reach, string])[] = [
  ['all', 'All issues'],
  ['mine', 'Issues that I have or follow'],
  ['none', 'Nothing'],
];

export function SettingsForm({
  settings,
  busy,
  error,
  onSave,
}: {
  readonly settings: NotificationSettings;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: (changed: NotificationSettings) => void;
}) {
  const [draft, setDraft] = useState(settings);
  const { data: projects = [] } = useQuery(projectsQuery(useOrg()));
  const change = (part: Partial<NotificationSettings>): void => setDraft((before) => ({ ...before, ...part }));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(settings);
  return (
    <Card>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSave(draft);
        }}
      >
        <div className={styles.choices}>
          <ReachSelect
            label="Changes of issues"
            hint="Resolved, archived, back again, escalating. Several within five minutes are one mail."
            value={draft.state}
            onChange={(state) => change({ state: state ?? 'mine' })}
          />
          <ReachSelect
            label="Comments"
            value={draft.comment}
            onChange={(comment) => change({ comment: comment ?? 'mine' })}
          />
        </div>
        <Toggle
          label="When an issue is assigned to me"
          checked={draft.assigned === 'mine'}
          onChange={(event) => change({ assigned: event.target.checked ? 'mine' : 'none' })}
        />
        <Toggle
          label="When someone mentions me"
          checked={draft.mentioned === 'mine'}
          onChange={(event) => change({ mentioned: event.target.checked ? 'mine' : 'none' })}
        />
        <Toggle
          label="The week in a mail"
          hint="On Mondays at nine, if anything happened: numbers, new issues, the most frequent ones."
          checked={draft.report}
          onChange={(event) => change({ report: event.target.checked })}
        />
        <TextField
          label="Time zone"
          hint={draft.timeZone === localZone() ? 'That of this browser.' : `This browser is in ${localZone()}.`}
          value={draft.timeZone}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => change({ timeZone: event.target.value })}
        />
        <div className={styles.rule} />
        <QuietHoursFields
          value={draft.quietHours}
          timeZone={draft.timeZone === 'UTC' ? localZone() : draft.timeZone}
          onChange={(quietHours) => change({ quietHours })}
        />
        {projects.length > 1 && (
          <>
            <div className={styles.rule} />
            <p className={styles.faint}>For changes and comments in single projects:</p>
            <div className={styles.choices}>
              {projects.map(({ id, name }) => (
                <ReachSelect
                  key={id}
                  label={name}
                  value={draft.projects[id]}
                  onChange={(reach) => change({ projects: withProject(draft.projects, id, reach) })}
                  hasUsual
                />
              ))}
            </div>
          </>
        )}
        <FormError error={error} />
        <div className={formStyles.row}>
          <Button type="submit" variant="primary" size="small" busy={busy} disabled={!isChanged}>
            Save
          </Button>
          {isChanged && (
            <Button size="small" variant="ghost" onClick={() => setDraft(settings)}>
              Discard changes
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

function withProject(
  projects: NotificationSettings['projects'],
  id: string,
  reach: Reach | undefined,
): NotificationSettings['projects'] {
  const { [id]: _, ...others } = projects;
  return reach === undefined ? others : { ...others, [id]: reach };
}

function ReachSelect({
  label,
  hint,
  value,
  hasUsual = false,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: Reach | undefined;
  /** Whether it may follow the choices above. */
  readonly hasUsual?: boolean;
  readonly onChange: (value: Reach | undefined) => void;
}) {
  return (
    <SelectField
      label={label}
      {...(hint !== undefined && { hint })}
      value={value ?? ''}
      onChange={(event) => onChange(reaches.find(([reach]) => reach === event.target.value)?.[0])}
    >
      {hasUsual && <option value="">As above</option>}
      {reaches.map(([reach, words]) => (
        <option key={reach} value={reach}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}

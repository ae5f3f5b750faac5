import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { deleteKey, updateKey, type ProjectKeyUpdate } from '../../features/projects/changes.ts';
import { type Project, type ProjectKey } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Flag } from '../../ui/Flag.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { exactNumber, plural, withUnit } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './KeyRow.module.css';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

const windows = [
  { seconds: 60, label: 'minute' },
  { seconds: 3600, label: 'hour' },
  { seconds: 86_400, label: 'day' },
];

const mib = 1024 * 1024;

export function KeyRow({ project, projectKey: key }: { readonly project: Project; readonly projectKey: ProjectKey }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['projects', org, project.slug] });
  const update = useMutation({
    mutationFn: (changes: ProjectKeyUpdate) => updateKey(org, project.slug, key.id, changes),
    onSuccess: async (_saved, changes) => {
      await refresh();
      setEditing(false);
      toast(
        changes.isActive === undefined
          ? 'Saved'
          : changes.isActive
            ? 'Key enabled'
            : 'Key disabled: what is sent with it is refused',
      );
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteKey(org, project.slug, key.id),
    onSuccess: async () => {
      setDeleting(false);
      await refresh();
      toast('Key deleted');
    },
  });
  return (
    <li className={styles.key}>
      <div className={styles.head}>
        <strong>{key.label || key.name}</strong>
        {!key.isActive && <Flag kind="disabled" />}
        <span className={styles.when}>
          since <Time at={key.dateCreated} />
          {key.rateLimit &&
            ` · at most ${exactNumber(key.rateLimit.count)} per ${windows.find((each) => each.seconds === key.rateLimit?.window)?.label ?? withUnit(key.rateLimit.window, 's')}`}
        </span>
        <div className={styles.actions}>
          <Button size="small" variant="ghost" aria-expanded={editing} onClick={() => setEditing(!editing)}>
            Edit
          </Button>
          <Button
            size="small"
            variant="ghost"
            busy={update.isPending}
            onClick={() => update.mutate({ isActive: !key.isActive })}
          >
            {key.isActive ? 'Disable' : 'Enable'}
          </Button>
          <Button size="small" variant="ghost" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </div>
      <div className={styles.dsn}>
        <code>{key.dsn.public}</code>
        <CopyButton text={key.dsn.public} label={`Copy DSN of ${key.label || key.name}`} />
      </div>
      {!editing && <FormError error={update.error} />}
      {editing && (
        <EditKey
          projectKey={key}
          busy={update.isPending}
          error={update.error}
          onSave={update.mutate}
          onCancel={() => setEditing(false)}
        />
      )}
      <Suspense>
        {deleting && (
          <Confirm
            title={`Delete ${key.label || key.name}?`}
            action="Delete key"
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
            onClose={() => setDeleting(false)}
          >
            <p>
              Whatever still sends with this DSN is refused from now on, and its events are lost. Disable the key first
              if you are not sure.
            </p>
            <FormError error={remove.error} />
          </Confirm>
        )}
      </Suspense>
    </li>
  );
}

function EditKey({
  projectKey: key,
  busy,
  error,
  onSave,
  onCancel,
}: {
  readonly projectKey: ProjectKey;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: (changes: ProjectKeyUpdate) => void;
  readonly onCancel: () => void;
}) {
  const [name, setName] = useState(key.label || key.name);
  const [count, setCount] = useState(key.rateLimit ? String(key.rateLimit.count) : '');
  const [seconds, setSeconds] = useState(key.rateLimit?.window ?? 60);
  const [blobs, setBlobs] = useState(key.blobBytesPerDay === null ? '' : String(key.blobBytesPerDay / mib));
  const limit = Number(count);
  const problem =
    count !== '' && !(Number.isInteger(limit) && limit > 0)
      ? 'Enter a whole number, or nothing for no limit.'
      : undefined;
  const blobBytesPerDay = blobs === '' ? null : Math.round(Number(blobs) * mib);
  const blobsProblem =
    blobBytesPerDay !== null && !(Number.isSafeInteger(blobBytesPerDay) && blobBytesPerDay >= 0)
      ? 'Enter a number of MiB, or nothing for no limit.'
      : undefined;
  const windowKnown = windows.some((each) => each.seconds === seconds);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem || blobsProblem) return;
        const rateLimit = count === '' ? null : { count: limit, window: seconds };
        onSave({ name: name.trim(), rateLimit, blobBytesPerDay });
      }}
    >
      <TextField
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        maxLength={64}
      />
      <TextField
        label="Rate limit"
        inputMode="numeric"
        value={count}
        onChange={(event) => setCount(event.target.value.trim())}
        placeholder="No limit"
        error={problem}
        autoComplete="off"
      />
      <SelectField label="Per" value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
        {!windowKnown && <option value={seconds}>{plural(seconds, 'second')}</option>}
        {windows.map((each) => (
          <option key={each.seconds} value={each.seconds}>
            {each.label}
          </option>
        ))}
      </SelectField>
      <div className={styles.full}>
        <TextField
          label="Attachments, replays and profiles per day (MiB)"
          hint="As they are once decompressed. Errors, spans and logs go on beyond it."
          inputMode="decimal"
          value={blobs}
          onChange={(event) => setBlobs(event.target.value.trim())}
          placeholder="No limit"
          error={blobsProblem}
          autoComplete="off"
        />
      </div>
      <div className={`${formStyles.row} ${styles.full}`}>
        <Button
          type="submit"
          variant="primary"
          size="small"
          busy={busy}
          disabled={Boolean(problem ?? blobsProblem) || name.trim() === ''}
        >
          Save
        </Button>
        <Button size="small" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <div className={styles.full}>
        <FormError error={error} />
      </div>
    </form>
  );
}

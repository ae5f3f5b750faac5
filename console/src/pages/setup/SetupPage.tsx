import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { PlatformChoice } from '../../features/projects/PlatformChoice.tsx';
import { setUp, setupQuery } from '../../features/session/queries.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { useTitle } from '../../ui/title.ts';
import { validateSetup, type SetupFields } from './validate.ts';

/** First visit without an account: the owner, the organisation and the first project in one form. */
export function SetupPage() {
  useTitle('Set up');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { data: setup } = useQuery(setupQuery);
  // Proves who started this server; in the fragment, which no proxy sees.
  const secret = useLocation({ select: ({ hash }) => hash });
  const [fields, setFields] = useState<SetupFields>({ email: '', password: '', organization: '', project: '' });
  const [platform, setPlatform] = useState('javascript-nextjs');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const errors = validateSetup(fields);

  const mutation = useMutation({
    mutationFn: () => setUp({ ...fields, email: fields.email.trim(), platform, secret }),
    onSuccess: async ({ project }) => {
      queries.clear();
      await navigate({ to: '/projects/$slug/setup', params: { slug: project.slug }, replace: true });
    },
  });

  // Somebody set it up already, perhaps in another tab.
  if (setup && !setup.needed && mutation.isIdle) return <Navigate to="/sign-in" replace />;

  if (!secret && mutation.isIdle) return <WhereTheLinkIs />;

  const field = (name: keyof SetupFields) => ({
    value: fields[name],
    error: left.has(name) ? errors[name] : undefined,
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
    onBlur: () => fields[name] !== '' && setLeft(new Set([...left, name])),
  });

  return (
    <AuthLayout
      title="Set up Culprit"
      note="Make the owner account and the first project. The next page shows how to send errors to it."
    >
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setLeft(new Set(Object.keys(fields)));
          const first = Object.keys(errors)[0];
          if (first) event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
          else mutation.mutate();
        }}
      >
        <div className={styles.group}>
          <TextField label="E-mail" name="email" type="email" autoComplete="username" focused {...field('email')} />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            hint="At least 8 characters, and none that many people have."
            {...field('password')}
          />
        </div>
        <div className={styles.group}>
          <TextField
            label="Organisation"
            name="organization"
            autoComplete="organization"
            placeholder="Acme"
            {...field('organization')}
          />
          <TextField
            label="First project"
            name="project"
            autoComplete="off"
            placeholder="Shop"
            hint="One per application or service works best."
            {...field('project')}
          />
          <PlatformChoice value={platform} onChange={setPlatform} />
        </div>
        <FormError error={mutation.error} />
        <Button type="submit" variant="primary" className={styles.submit} busy={mutation.isPending}>
          {mutation.isPending ? 'Setting up…' : 'Create account and project'}
        </Button>
      </form>
    </AuthLayout>
  );
}

function WhereTheLinkIs() {
  return (
    <AuthLayout
      title="Set up Culprit"
      note="Open the link that the server printed when it started: it is in the terminal or the log, and shows that this server is yours."
    >
      <dl className={styles.form}>
        <div>
          <dt>Print the link again</dt>
          <dd>
            <code>npx culprit doctor</code>
          </dd>
        </div>
        <div>
          <dt>Set up without a browser</dt>
          <dd>
            <code>npx culprit init --help</code>
          </dd>
        </div>
      </dl>
    </AuthLayout>
  );
}

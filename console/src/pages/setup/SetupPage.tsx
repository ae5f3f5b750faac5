import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { PlatformChoice } from '../../features/projects/PlatformChoice.tsx';
import { usualPlatform, type PlatformId } from '../../features/projects/platforms.ts';
import { setUp, setupQuery } from '../../features/session/queries.ts';
import * as m from '../../messages/setup.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';
import { checks } from './validate.ts';

/** First visit without an account: the owner, the organisation and the first project in one form. */
export function SetupPage() {
  useTitle(m.titleOnly);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { data: setup } = useQuery(setupQuery);
  // Proves who started this server; in the fragment, which no proxy sees.
  const secret = useLocation({ select: ({ hash }) => hash });
  const [isSent, setSent] = useState(false);
  const form = useForm({
    pressable: true,
    start: { email: '', password: '', organization: '', project: '', platform: usualPlatform as PlatformId },
    save: async (values) => {
      setSent(true);
      const { project } = await setUp({ ...values, email: values.email.trim(), secret });
      queries.clear();
      await navigate({ to: '/projects/$slug/setup', params: { slug: project.slug }, replace: true });
    },
  });

  // It is set up already, perhaps in another tab.
  if (setup && !setup.needed && !isSent) return <Navigate to="/sign-in" replace />;

  if (!secret && !isSent) return <WhereTheLinkIs />;

  return (
    <AuthLayout title={m.title} note={m.hint}>
      <Form form={form} submit={m.create} bare>
        <TextField
          label={m.email}
          type="email"
          autoComplete="username"
          focused
          {...form.field('email', { validate: checks.email })}
        />
        <TextField
          label={m.password}
          type="password"
          autoComplete="new-password"
          hint={m.passwordHint}
          {...form.field('password', { validate: checks.password })}
        />
        <TextField
          label={m.organization}
          autoComplete="organization"
          placeholder={m.organizationExample}
          {...form.field('organization', { validate: checks.organization })}
        />
        <TextField
          label={m.project}
          autoComplete="off"
          placeholder={m.projectExample}
          hint={m.projectHint}
          {...form.field('project', { validate: checks.project })}
        />
        <PlatformChoice value={form.watch('platform')} onChoose={(id) => form.set('platform', id)} />
      </Form>
    </AuthLayout>
  );
}

function WhereTheLinkIs() {
  return (
    <AuthLayout title={m.title} note={m.findLink}>
      <KeyValue>
        <Pair name={m.printLink}>
          <code>npx culprit doctor</code>
        </Pair>
        <Pair name={m.withoutBrowser}>
          <code>npx culprit init --help</code>
        </Pair>
      </KeyValue>
    </AuthLayout>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { safeNext } from '../../features/session/next.ts';
import { signIn } from '../../features/session/queries.ts';
import * as m from '../../messages/sign-in.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';
import { Problem, ProviderOfEmail, Providers } from './Providers.tsx';

/** Email and password; then back to the page that was requested. */
export function SignInPage() {
  useTitle(m.title);
  const { next, problem } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queries = useQueryClient();
  const form = useForm({
    pressable: true,
    start: { email: '', password: '' },
    save: async ({ email, password }) => {
      await signIn(email.trim(), password).catch((error: unknown) => {
        throw error instanceof ApiError && [400, 401].includes(error.status)
          ? new Error(m.refused, { cause: error })
          : error;
      });
      queries.clear();
      router.history.replace(safeNext(next));
    },
  });
  const email = form.watch('email');
  return (
    <AuthLayout title={m.title} note={next && safeNext(next) !== '/' ? m.returns : undefined}>
      {problem !== undefined && <Problem code={problem} />}
      <Form form={form} submit={m.title} bare>
        <TextField
          label={m.email}
          type="email"
          autoComplete="username"
          focused
          {...form.field('email', { validate: (email) => email.trim() !== '' || m.emailMissing })}
        />
        <ProviderOfEmail email={email} next={safeNext(next)} />
        <TextField
          label={m.password}
          type="password"
          autoComplete="current-password"
          {...form.field('password', { required: m.passwordMissing })}
        />
      </Form>
      <Providers email={email} next={safeNext(next)} />
      <Link to="/forgot-password">{m.forgot}</Link>
    </AuthLayout>
  );
}

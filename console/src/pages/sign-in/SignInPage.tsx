import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { hasPasskeys } from '../../features/factors/browser.ts';
import { safeNext } from '../../features/session/next.ts';
import { signIn } from '../../features/session/queries.ts';
import { domainIn, startOf, wayInQuery } from '../../features/session/ways-in.ts';
import * as m from '../../messages/sign-in.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';
import { CodeStep } from './CodeStep.tsx';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { Problem, Providers } from './Providers.tsx';

interface Fields {
  readonly email: string;
  readonly password: string;
}

/**
 * Email and password, and a code where the account has an app; or a passkey; or the provider of the address. Then back to
 * the page that was requested.
 */
export function SignInPage() {
  useTitle(m.title);
  const { next, problem } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queries = useQueryClient();
  const [wantsCode, setWantsCode] = useState(false);
  const enter = (): void => {
    queries.clear();
    router.history.replace(safeNext(next));
  };
  const form = useForm<Fields>({
    pressable: true,
    start: { email: '', password: '' },
    save: async ({ email, password }): Promise<void> => {
      if (way) return location.assign(startOf(way, safeNext(next)));
      const { wantsCode: wants } = await signIn(email.trim(), password).catch((error: unknown) => {
        throw error instanceof ApiError && [400, 401].includes(error.status)
          ? new Error(m.refused, { cause: error })
          : error;
      });
      if (wants) setWantsCode(true);
      else enter();
    },
  });
  const email = form.watch('email');
  const [withPassword, setWithPassword] = useState(false);
  const { data: found } = useQuery(wayInQuery(domainIn(email)));
  const way = withPassword ? undefined : (found ?? undefined);
  if (wantsCode) return <CodeStep onDone={enter} onBack={() => setWantsCode(false)} />;
  return (
    <AuthLayout title={m.title} note={next && safeNext(next) !== '/' ? m.returns : undefined}>
      {problem !== undefined && <Problem code={problem} />}
      <Form
        form={form}
        submit={way ? m.continueWith({ name: way.name }) : m.title}
        bare
        actions={
          way && (
            <Button variant="ghost" onClick={() => setWithPassword(true)}>
              {m.withPassword}
            </Button>
          )
        }
      >
        <TextField
          label={m.email}
          type="email"
          autoComplete="username webauthn"
          focused
          {...form.field('email', { validate: (email) => email.trim() !== '' || m.emailMissing })}
        />
        {!way && (
          <TextField
            label={m.password}
            type="password"
            autoComplete="current-password"
            {...form.field('password', { required: m.passwordMissing, shouldUnregister: true })}
          />
        )}
      </Form>
      {hasPasskeys() && <PasskeySignIn onDone={enter} />}
      <Providers besides={way} next={safeNext(next)} />
      <Link to="/forgot-password">{m.forgot}</Link>
    </AuthLayout>
  );
}

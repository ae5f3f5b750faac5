import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { safeNext } from '../../features/session/next.ts';
import { signIn } from '../../features/session/queries.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { useTitle } from '../../ui/title.ts';

/** E-mail and password; then back to the page that was asked for. */
export function SignInPage() {
  useTitle('Sign in');
  const { next } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);

  const mutation = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: () => {
      queries.clear();
      router.history.replace(safeNext(next));
    },
  });
  const refused = mutation.error instanceof ApiError && [400, 401].includes(mutation.error.status);

  return (
    <AuthLayout
      title="Sign in"
      note={next && safeNext(next) !== '/' ? 'You will return to the page you asked for.' : undefined}
    >
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (email.trim() && password) mutation.mutate();
        }}
      >
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          focused
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={tried && !email.trim() ? 'Enter your e-mail address.' : undefined}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={tried && !password ? 'Enter your password.' : undefined}
        />
        {refused ? (
          <FormError error={new Error('E-mail and password do not match an account.')} />
        ) : (
          <FormError error={mutation.error} />
        )}
        <Button type="submit" variant="primary" className={styles.submit} busy={mutation.isPending}>
          {mutation.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
    </AuthLayout>
  );
}

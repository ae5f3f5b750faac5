import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { passwordResetQuery, requestPasswordReset } from '../../features/account/queries.ts';
import * as m from '../../messages/recovery.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';

interface Sent {
  readonly email: string;
  readonly minutes: number;
}

/** Asks for a link; what comes of it says nothing about who has an account. */
export function ForgotPasswordPage() {
  useTitle(m.forgotTitle);
  const { data, error } = useQuery(passwordResetQuery);
  const [sent, setSent] = useState<Sent>();
  const back = (
    <Link to="/sign-in" className={buttonClass('normal')}>
      {m.backToSignIn}
    </Link>
  );
  if (sent) {
    return (
      <AuthLayout title={m.sentTitle} note={m.sentNote({ email: sent.email, minutes: String(sent.minutes) })}>
        {back}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={m.forgotTitle} note={data && (data.available ? m.forgotNote : m.noMailNote)}>
      {!data && !error && <Skeleton rows={2} height={40} label={m.checking} />}
      <FormError error={error} />
      {data?.available && <ForgotForm onSent={setSent} />}
      {back}
    </AuthLayout>
  );
}

function ForgotForm({ onSent }: { readonly onSent: (sent: Sent) => void }) {
  const form = useForm({
    pressable: true,
    start: { email: '' },
    save: async ({ email }) => {
      const { validMinutes } = await requestPasswordReset(email.trim());
      onSent({ email: email.trim(), minutes: validMinutes });
    },
  });
  return (
    <Form form={form} submit={m.sendLink} bare>
      <TextField
        label={m.email}
        type="email"
        autoComplete="username"
        focused
        {...form.field('email', { validate: (email) => email.trim() !== '' || m.emailMissing })}
      />
    </Form>
  );
}

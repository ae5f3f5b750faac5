import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Account, accountQuery, cancelEmail, requestEmail } from '../../features/account/queries.ts';
import { PasswordField } from '../../features/factors/fields.tsx';
import * as factors from '../../messages/factors.ts';
import * as m from '../../messages/my-account.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';

/** The address, and the way to another one: a link that goes there. */
export function EmailSection({ account }: { readonly account: Account }) {
  const { email, pendingEmail, canMail } = account;
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: cancelEmail,
    onSuccess: () => queries.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
  });
  return (
    <Section title={m.email} note={m.emailNote({ email })}>
      {!canMail && <Notice tone="warning">{m.emailNoMail({ setting: 'CULPRIT_SMTP_URL' })}</Notice>}
      {canMail && pendingEmail !== null && (
        <Notice tone="ok" says="status">
          <p>{m.pendingEmail({ email: pendingEmail })}</p>
          <FormError error={cancel.error} />
          <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {m.cancelPending}
          </Button>
        </Notice>
      )}
      {canMail && pendingEmail === null && <EmailForm hasPassword={account.hasPassword} />}
    </Section>
  );
}

function EmailForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const queries = useQueryClient();
  const form = useForm({
    start: { email: '', password: '' },
    save: async ({ email, password }) => {
      queries.setQueryData(
        accountQuery.queryKey,
        await requestEmail({ email: email.trim(), ...(hasPassword && { password }) }),
      );
    },
  });
  return (
    <Form form={form} submit={m.sendLink}>
      <FieldRow>
        <TextField
          label={m.newEmail}
          type="email"
          autoComplete="email"
          maxLength={254}
          {...form.field('email', { validate: (email) => email.trim() !== '' || m.emailMissing })}
        />
        {hasPassword && <PasswordField {...form.field('password', { required: m.passwordMissing })} />}
      </FieldRow>
      {!hasPassword && <Text as="p">{factors.recentOnly}</Text>}
    </Form>
  );
}

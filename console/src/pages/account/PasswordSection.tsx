import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery, changePassword } from '../../features/account/queries.ts';
import { PasswordField } from '../../features/factors/fields.tsx';
import { RemovePassword } from '../../features/factors/RemovePassword.tsx';
import * as factors from '../../messages/factors.ts';
import * as m from '../../messages/my-account.ts';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';

/** A new password, for who knows the current one. */
export function PasswordSection({ email, hasPassword }: { readonly email: string; readonly hasPassword: boolean }) {
  const [changed, setChanged] = useState<{
    readonly sessions: number;
    readonly tokens: number;
    readonly count: number;
  }>();
  return (
    <Section title={m.password} note={m.passwordNote}>
      {changed && (
        <Notice tone="ok" says="status">
          {m.passwordChanged} {m.endedSessions({ count: changed.sessions })} {m.keptTokens({ count: changed.tokens })}
        </Notice>
      )}
      <PasswordForm
        key={changed?.count}
        email={email}
        hasPassword={hasPassword}
        onChanged={(sessions, tokens) => setChanged({ sessions, tokens, count: (changed?.count ?? 0) + 1 })}
      />
    </Section>
  );
}

function PasswordForm({
  email,
  hasPassword,
  onChanged,
}: {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly onChanged: (sessions: number, tokens: number) => void;
}) {
  const queries = useQueryClient();
  const form = useForm({
    start: { current: '', next: '' },
    save: async ({ current, next }) => {
      const { endedSessions, tokenCount } = await changePassword({
        ...(hasPassword && { currentPassword: current }),
        newPassword: next,
      });
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey });
      onChanged(endedSessions, tokenCount);
    },
  });
  return (
    <Form
      form={form}
      submit={hasPassword ? m.changePassword : m.setPassword}
      actions={hasPassword && <RemovePassword />}
    >
      {!hasPassword && (
        <Text as="p">
          {factors.noPassword} {factors.recentOnly}
        </Text>
      )}
      {/* For whatever keeps passwords: whose this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <FieldRow>
        {hasPassword && <PasswordField {...form.field('current', { required: m.passwordMissing })} />}
        <TextField
          label={m.newPassword}
          type="password"
          autoComplete="new-password"
          hint={m.newPasswordHint}
          maxLength={128}
          {...form.field('next', { required: true, minLength: { value: 8, message: m.newPasswordShort } })}
        />
      </FieldRow>
    </Form>
  );
}

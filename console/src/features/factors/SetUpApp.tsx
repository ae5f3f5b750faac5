import { useState } from 'react';
import * as m from '../../messages/factors.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { fieldLabelClass } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { Text } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';
import { CodeField, PasswordField } from './fields.tsx';
import { beginTwoFactor, confirmTwoFactor } from './queries.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface Props {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly onDone: () => void;
  readonly onCancel?: () => void;
}

/** Password, picture, first code, recovery codes: one after the other. */
export function SetUpApp({ email, hasPassword, onDone, onCancel }: Props) {
  const [secret, setSecret] = useState<Secret>();
  const [confirmed, setConfirmed] = useState<Awaited<ReturnType<typeof confirmTwoFactor>>>();
  if (confirmed) {
    const said = `${m.turnedOn} ${m.endedSessions({ count: confirmed.endedSessions })}`;
    return <RecoveryCodes codes={confirmed.recoveryCodes} email={email} said={said} onKept={onDone} />;
  }
  if (secret) return <Confirmation secret={secret} onConfirmed={setConfirmed} {...(onCancel && { onCancel })} />;
  return <Beginning hasPassword={hasPassword} onBegun={setSecret} {...(onCancel && { onCancel })} />;
}

type Secret = Awaited<ReturnType<typeof beginTwoFactor>>;

function Beginning({
  hasPassword,
  onBegun,
  onCancel,
}: Pick<Props, 'hasPassword' | 'onCancel'> & { readonly onBegun: (secret: Secret) => void }) {
  const form = useForm({
    start: { password: '' },
    save: async ({ password }) => onBegun(await beginTwoFactor(hasPassword ? { password } : {})),
  });
  return (
    <Form form={form} submit={m.begin} {...(onCancel && { onCancel })}>
      {hasPassword ? (
        <PasswordField focused {...form.field('password', { required: m.passwordMissing })} />
      ) : (
        <Text as="p">{m.recentOnly}</Text>
      )}
    </Form>
  );
}

function Confirmation({
  secret: { secret, address },
  onConfirmed,
  onCancel,
}: Pick<Props, 'onCancel'> & {
  readonly secret: Secret;
  readonly onConfirmed: (confirmed: Awaited<ReturnType<typeof confirmTwoFactor>>) => void;
}) {
  const form = useForm({
    start: { code: '' },
    save: async ({ code }) => onConfirmed(await confirmTwoFactor(code)),
  });
  return (
    <Form form={form} submit={m.turnOn} {...(onCancel && { onCancel })}>
      <Text as="p">{m.scan}</Text>
      <QrCode text={address} label={m.qr} />
      <Stack gap={4}>
        <span className={fieldLabelClass}>{m.key}</span>
        <CopyLine text={secret} label={m.copyKey} />
        <a href={address}>{m.openInApp}</a>
      </Stack>
      <CodeField focused {...form.field('code', { required: m.codeMissing })} />
    </Form>
  );
}

import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { enterCode } from '../../features/session/queries.ts';
import * as m from '../../messages/sign-in.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';

interface Props {
  readonly onDone: () => void;
  readonly onBack: () => void;
}

/** After the password: the code of an app, or one for recovery. */
export function CodeStep({ onDone, onBack }: Props) {
  const [recovers, setRecovers] = useState(false);
  const title = recovers ? m.recoveryTitle : m.codeTitle;
  useTitle(title);
  return (
    <AuthLayout title={title} note={recovers ? m.recoveryNote : m.codeNote}>
      <CodeForm key={String(recovers)} recovers={recovers} onDone={onDone} onBack={onBack} />
      <Inline align="apart">
        <Button variant="ghost" size="small" onClick={() => setRecovers(!recovers)}>
          {recovers ? m.toApp : m.toRecovery}
        </Button>
        <Button variant="ghost" size="small" onClick={onBack}>
          {m.back}
        </Button>
      </Inline>
    </AuthLayout>
  );
}

function CodeForm({ recovers, onDone, onBack }: Props & { readonly recovers: boolean }) {
  const form = useForm({
    pressable: true,
    start: { code: '' },
    save: async ({ code }) => {
      try {
        await enterCode(code.trim());
      } catch (error) {
        // The password has to be given again, which is on the page before.
        if (error instanceof ApiError && error.code === 'SIGN_IN_EXPIRED') onBack();
        throw error;
      }
      onDone();
    },
  });
  return (
    <Form form={form} submit={m.verify} bare>
      <TextField
        label={recovers ? m.recoveryCode : m.code}
        mono
        autoComplete="one-time-code"
        inputMode={recovers ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        focused
        {...form.field('code', { validate: (code) => code.trim() !== '' || m.codeMissing })}
      />
    </Form>
  );
}

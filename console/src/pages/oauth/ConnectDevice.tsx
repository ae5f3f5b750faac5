import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { decideDevice, readDevice } from '../../features/oauth/queries.ts';
import * as m from '../../messages/oauth.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Consent, type Person } from './Consent.tsx';
import { Over } from './frames.tsx';

interface Found {
  readonly code: string;
  readonly device: Schemas['OAuthDevice'];
}

/** A device shows a code: typed in here, and then granted or denied. */
export function ConnectDevice(person: Person) {
  const [found, setFound] = useState<Found>();
  const [done, setDone] = useState<'granted' | 'denied'>();
  if (!found) return <EnterCode onFound={setFound} />;
  const { code, device } = found;
  const { name, scopes } = device;
  if (done)
    return done === 'granted' ? (
      <Over title={m.connected({ name })}>{m.connectedNote}</Over>
    ) : (
      <Over title={m.denied}>{m.deniedNote({ name })}</Over>
    );
  return (
    <Consent
      {...person}
      name={name}
      scopes={scopes}
      onGrant={async (org, granted) => {
        await decideDevice(org, { code, accept: true, scopes: granted });
        setDone('granted');
      }}
      onDeny={async (org) => {
        await decideDevice(org, { code, accept: false });
        setDone('denied');
      }}
    >
      <p>{m.compare({ code: <code translate="no">{code}</code> })}</p>
    </Consent>
  );
}

/** As the server writes it. */
function written(typed: string): string {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

function EnterCode({ onFound }: { readonly onFound: (found: Found) => void }) {
  const form = useForm({
    pressable: true,
    start: { code: written(new URLSearchParams(location.search).get('user_code') ?? '') },
    save: async ({ code }) => {
      const plain = written(code);
      onFound({ code: plain, device: await readDevice(plain) });
    },
  });
  return (
    <AuthLayout title={m.deviceTitle} note={m.deviceNote}>
      <Form form={form} submit={m.next} bare>
        <TextField
          label={m.code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="BCDF-GHJK"
          maxLength={20}
          focused
          {...form.field('code', { validate: (code) => written(code).length === 9 || m.codeMissing })}
        />
      </Form>
    </AuthLayout>
  );
}

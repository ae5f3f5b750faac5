import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as m from '../../messages/factors.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { toast } from '../../ui/toasts.ts';
import { PasswordField } from './fields.tsx';
import { passkeysQuery, removePassword } from './queries.ts';

/** For who has a passkey, which then is the only way in. */
export function RemovePassword() {
  const queries = useQueryClient();
  const { data } = useQuery(passkeysQuery);
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const remove = useMutation({
    mutationFn: () => removePassword({ password }),
    onSuccess: async () => {
      setAsking(false);
      toast(m.passwordRemoved);
      await queries.invalidateQueries({ queryKey: ['account'] });
    },
  });
  if (!data?.passkeys.length) return null;
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {m.removePassword}
      </Button>
      {asking && (
        <Confirm
          title={m.removePasswordAsk}
          action={m.removePassword}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <Stack gap={12}>
            <p>{m.removePasswordWhat}</p>
            <PasswordField required value={password} onChange={(event) => setPassword(event.target.value)} />
            <FormError error={remove.error} />
          </Stack>
        </Confirm>
      )}
    </>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { type Account, deleteAccount } from '../../features/account/queries.ts';
import { PasswordField } from '../../features/factors/fields.tsx';
import * as factors from '../../messages/factors.ts';
import * as m from '../../messages/my-account.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';

/** The end of the account: asked for with the password, since it cannot be undone. */
export function DeleteAccount({ account }: { readonly account: Account }) {
  const router = useRouter();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState('');
  const remove = useMutation({
    mutationFn: () => deleteAccount(account.hasPassword ? { password } : {}),
    onSuccess: async () => {
      queries.clear();
      await router.invalidate();
    },
  });
  const close = (): void => {
    setAsking(false);
    setPassword('');
    remove.reset();
  };
  return (
    <Section title={m.danger} note={m.dangerNote}>
      <div>
        <Button variant="danger" onClick={() => setAsking(true)}>
          {m.deleteAccount}
        </Button>
      </div>
      {asking && (
        <Confirm
          title={m.deleteAsk}
          action={m.deleteAccount}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>{m.deleteWhat}</p>
          {account.tokenCount > 0 && <p>{m.deleteTokens({ count: account.tokenCount })}</p>}
          {account.hasPassword ? (
            <PasswordField required value={password} onChange={(event) => setPassword(event.target.value)} />
          ) : (
            <p>{factors.recentOnly}</p>
          )}
          <FormError error={remove.error} />
        </Confirm>
      )}
    </Section>
  );
}

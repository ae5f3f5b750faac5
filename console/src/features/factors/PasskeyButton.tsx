import { useMutation } from '@tanstack/react-query';
import * as m from '../../messages/passkey-button.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { signInWithPasskey, WrongPlaceError } from './browser.ts';

/** Signs in with a passkey that the browser has or reaches. */
export function PasskeyButton({ onDone }: { readonly onDone: () => void }) {
  const press = useMutation({
    mutationFn: async () => {
      const isIn = await signInWithPasskey().catch((error: unknown) => {
        throw error instanceof WrongPlaceError ? new Error(m.elsewhere, { cause: error }) : error;
      });
      if (!isIn) throw new Error(m.none);
    },
    onSuccess: onDone,
  });
  return (
    <>
      <FormError error={press.error} />
      <Button busy={press.isPending} onClick={() => press.mutate()}>
        {m.signIn}
      </Button>
    </>
  );
}

import { useEffect, useRef } from 'react';
import { endOffer, signInWithPasskey } from '../../features/factors/browser.ts';
import { PasskeyButton } from '../../features/factors/PasskeyButton.tsx';

/** A passkey instead of address and password: by its button, or where the browser offers it in the field above. */
export function PasskeySignIn({ onDone }: { readonly onDone: () => void }) {
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    let isOver = false;
    // Nobody asked for it, so that it fails in silence; the button says what is wrong.
    const offer = async (): Promise<void> => {
      if ((await signInWithPasskey({ offered: true })) && !isOver) done.current();
    };
    offer().catch(() => undefined);
    return () => {
      isOver = true;
      endOffer().catch(() => undefined);
    };
  }, []);
  return <PasskeyButton onDone={onDone} />;
}

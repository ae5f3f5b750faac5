import * as m from '../messages/ui.ts';
import { describeError } from './State.tsx';
import styles from './Form.module.css';

/** What the server said to a whole form. */
export function FormError({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const { message, digest } = describeError(error);
  return (
    <p className={styles.failed} role="alert">
      {message}
      {digest && <> {m.digest({ digest: <code>{digest}</code> })}</>}
    </p>
  );
}

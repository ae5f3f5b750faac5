import { countdown } from '../../features/find/words.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './FindPage.module.css';
import { useSecond } from './use-second.ts';

/** Says that the question is asked again by itself, for how long, and then offers to go on. */
export function Patience({ until, again }: { readonly until: number; readonly again: () => void }) {
  const left = until - useSecond();
  return (
    <p className={styles.act}>
      {left > 0 ? (
        <span>
          Events may still be on their way. Retrying automatically for <span aria-hidden="true">{countdown(left)}</span>
          <span className="visually-hidden">two minutes</span>.
        </span>
      ) : (
        <>
          <span>Looked for two minutes.</span>
          <Button size="small" onClick={again}>
            Look again
          </Button>
        </>
      )}
    </p>
  );
}

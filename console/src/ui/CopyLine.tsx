import { CopyButton } from './CopyButton.tsx';
import styles from './CopyLine.module.css';

/** A text that is copied whole, e.g. a DSN, a link, a token; `label` names the button that does it. */
export function CopyLine({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={styles.line}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

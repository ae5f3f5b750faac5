import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import styles from './LongText.module.css';

/** Text of an event as it came, which scrolls where it is long. */
export const LongText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <ScrollRegion as="pre" className={styles.long} label={label}>
    {text}
  </ScrollRegion>
);

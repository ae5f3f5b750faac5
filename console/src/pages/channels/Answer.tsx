import styles from './ChannelsPage.module.css';

/** What a receiver answered. */
export function Answer({ text }: { readonly text: string }) {
  return text ? <code className={styles.answer}>{text}</code> : null;
}

import { testSentence } from '../../features/channels/delivery-words.ts';
import type { ChannelTest } from '../../features/channels/queries.ts';
import styles from './ChannelsPage.module.css';

/** What came of a test, with the receiver's own words. */
export function TestOutcome({ result }: { readonly result: ChannelTest }) {
  return (
    <output className={`${styles.result} ${styles.full}`} data-state={result.state} style={{ flexBasis: '100%' }}>
      {testSentence(result)}
      {result.answer && <code className={styles.answer}>{result.answer}</code>}
    </output>
  );
}

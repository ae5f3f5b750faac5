import { testSentence } from '../../features/channels/delivery-words.ts';
import type { ChannelTest } from '../../features/channels/queries.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Answer } from './Answer.tsx';

/** What came of a test, with the receiver's own words. */
export function TestOutcome({ result }: { readonly result: ChannelTest }) {
  return (
    <Notice tone={result.state === 'sent' ? 'ok' : 'error'} says="status">
      {testSentence(result)}
      <Answer text={result.answer} />
    </Notice>
  );
}

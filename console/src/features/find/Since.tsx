import { localTime, utcTime } from '../../ui/relative-time.ts';
import { useNow } from '../../ui/Time.tsx';
import { sinceText } from './since.ts';

/** A moment on the clock, since that is what people remember of a failure; in full on hover. */
export function Since({ at }: { readonly at: string }) {
  const moment = Date.parse(at);
  const now = useNow();
  return (
    <time dateTime={at} data-tip={`${localTime(moment)}\n${utcTime(moment)}`}>
      {sinceText(moment, now)}
    </time>
  );
}

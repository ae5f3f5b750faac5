import { useEffect, useState } from 'react';
import { Empty } from '../../features/places/Empty.tsx';
import * as m from '../../messages/trace.ts';
import { Button } from '../../ui/Button.tsx';
import { notFound } from './empty.ts';
import styles from './TracePage.module.css';

/** Nothing of the trace is there: why that may be, while it is looked for again. */
export function UnknownTrace({
  id,
  until,
  onAgain,
}: {
  readonly id: string;
  /** ms since the epoch: until then it is asked again. */
  readonly until: number;
  readonly onAgain: () => void;
}) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const minutes = Math.ceil((until - now) / 60_000);
  return (
    <Empty of={notFound} values={{ id }}>
      <ul className={styles.reasons}>
        <li>{m.reasonNotArrived}</li>
        <li>{m.reasonNotSampled}</li>
        <li>{m.reasonExpired}</li>
        <li>{m.reasonElsewhere}</li>
      </ul>
      {minutes > 0 ? <p role="status">{m.checking({ minutes })}</p> : <Button onClick={onAgain}>{m.checkAgain}</Button>}
    </Empty>
  );
}

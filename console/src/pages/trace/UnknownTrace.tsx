import { Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { useEffect, useState } from 'react';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/State.tsx';
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
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <EmptyState level={1} title={`Nothing of trace ${id} is stored`} icon={<NotFoundIcon size={24} />}>
      <ul className={styles.reasons}>
        <li>
          <strong>Not arrived yet.</strong> SDKs send spans when the whole request is done, and services each in their
          own time.
        </li>
        <li>
          <strong>Not sampled.</strong> With a <code>tracesSampleRate</code> below 1 most traces are never sent.
        </li>
        <li>
          <strong>Too old.</strong> Spans are deleted when they are older than the retention time of this installation.
        </li>
        <li>
          <strong>Somewhere else.</strong> It went to another installation, or to a project of an organisation that you
          are not in.
        </li>
      </ul>
      {left > 0 ? (
        <p role="status">Looking again every few seconds, for {left > 60 ? '2 minutes' : 'another minute'}.</p>
      ) : (
        <Button onClick={onAgain}>Look again</Button>
      )}
      <Link to="/find" search={{ q: id }} className={buttonClass()}>
        Find what else has this id
      </Link>
    </EmptyState>
  );
}

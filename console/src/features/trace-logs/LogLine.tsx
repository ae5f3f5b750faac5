import { Link } from '@tanstack/react-router';
import * as m from '../../messages/trace-logs.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { duration } from '../../ui/durations.ts';
import { LocateIcon } from '../../ui/icons.ts';
import { Level, levelOf } from '../../ui/Level.tsx';
import { markWords, type TraceEntry } from './entries.ts';
import { LogDetails } from './LogDetails.tsx';
import styles from './TraceLogs.module.css';

/** A log, which unfolds, or an error, which leads to its issue. */
export function LogLine({
  entry,
  span,
  search,
  open,
  onToggle,
  onSpan,
}: {
  readonly entry: TraceEntry;
  /** Name of its span, where that is there. */
  readonly span: string | undefined;
  readonly search: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onSpan: (() => void) | undefined;
}) {
  const level = levelOf(entry.level);
  const line = (
    <>
      <span>
        <Level level={entry.level} word />
      </span>
      <span className={styles.when}>{duration(entry.offsetUs)}</span>
      <span className={styles.service} translate="no">
        {entry.service}
      </span>
      <span className={cx(styles.text, open && styles.whole)} translate="no">
        {markWords(entry.text, search).map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text))}
      </span>
    </>
  );
  return (
    <>
      <div className={cx(styles.line, (level === 'error' || level === 'fatal') && styles.bad)}>
        {entry.kind === 'log' ? (
          <button type="button" className={styles.entry} aria-expanded={open} onClick={onToggle}>
            {line}
          </button>
        ) : entry.shortId ? (
          <Link
            className={styles.entry}
            to="/issues/$issue"
            params={{ issue: entry.shortId }}
            search={{ event: entry.eventId }}
          >
            {line}
          </Link>
        ) : (
          <div className={styles.entry}>{line}</div>
        )}
        {onSpan && (
          <IconButton
            size="small"
            className={styles.toSpan}
            icon={<LocateIcon size={14} />}
            label={m.showSpan({ span: span ?? '' })}
            onClick={onSpan}
          />
        )}
      </div>
      {open && entry.kind === 'log' && (
        <div className={styles.details}>
          <LogDetails id={entry.id} text={entry.text} />
        </div>
      )}
    </>
  );
}

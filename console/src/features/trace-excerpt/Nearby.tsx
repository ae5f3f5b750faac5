import { Link } from '@tanstack/react-router';
import { PerformanceIcon } from '../../ui/icons.ts';
import { Level } from '../../ui/Level.tsx';
import { plural } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import styles from './Nearby.module.css';
import type { TraceExcerpt } from './queries.ts';
import { nearbyOf, relativeTo, type Nearby as NearbyEntry } from './words.ts';

/** The other issues of the trace, and what was logged around the event, in one order of time. Nothing where there is nothing. */
export function Nearby({ excerpt }: { readonly excerpt: TraceExcerpt }) {
  const entries = nearbyOf(excerpt);
  if (entries.length === 0) return null;
  return (
    <Panel title="Around it in the trace" id="nearby">
      <ol className={styles.entries} aria-label="Around it in the trace">
        {entries.map((entry, index) => (
          <li key={index} className={styles.entry} aria-current={entry.kind === 'event' ? 'true' : undefined}>
            <span className={styles.when}>
              {entry.kind === 'event' ? '' : relativeTo(entry.offsetUs, excerpt.offsetUs ?? 0)}
            </span>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Entry({ entry }: { readonly entry: NearbyEntry }) {
  if (entry.kind === 'event') return <span className={styles.here}>This event</span>;
  if (entry.kind === 'log')
    return (
      <span className={styles.what}>
        <Level level={entry.log.level} />
        <code className={styles.message}>{entry.log.message}</code>
      </span>
    );
  const { issueId, shortId, eventId, title, level, category, count } = entry.issue;
  return (
    <span className={styles.what}>
      {category === 'performance' ? (
        <PerformanceIcon size={12} className={styles.gauge} aria-label="performance" />
      ) : (
        <Level level={level} />
      )}
      <Link to="/issues/$issue" params={{ issue: shortId ?? issueId }} search={{ event: eventId }}>
        {title}
      </Link>
      <span className={styles.sub}>{[shortId, count > 1 && plural(count, 'event')].filter(Boolean).join(' · ')}</span>
    </span>
  );
}

import { Link } from '@tanstack/react-router';
import { BrowserIcon, ServerIcon } from '../../ui/icons.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './Found.module.css';
import type { FoundEvent, FoundTrace } from './queries.ts';

/** The path of an address, which is what tells pages of one site apart. */
function pageOf(event: FoundEvent): string {
  if (event.url && URL.canParse(event.url)) {
    const { pathname, search } = new URL(event.url);
    return pathname + search;
  }
  return event.transaction ?? event.title;
}

/** Events as rows: which side, on which page, when; each leads to itself on its issue, `issue` where it names none. */
export function FoundEvents({
  label,
  events,
  issue,
}: {
  readonly label: string;
  readonly events: readonly FoundEvent[];
  readonly issue?: string | undefined;
}) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {events.map((event) => (
        <li key={event.id} className={styles.row}>
          {event.side === 'browser' ? (
            <BrowserIcon size={14} aria-hidden="true" />
          ) : (
            <ServerIcon size={14} aria-hidden="true" />
          )}
          <div className={styles.what}>
            <EventLink event={event} issue={event.issueId ?? issue} />
            <span className={styles.sub}>
              <span>{event.side}</span>
              <span className={styles.page}>{pageOf(event)}</span>
              {event.release && <span>{event.release}</span>}
            </span>
          </div>
          <span className={styles.when}>
            <Time at={event.dateCreated} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function EventLink({ event, issue }: { readonly event: FoundEvent; readonly issue: string | undefined }) {
  // An event whose issue is not known here is looked up by its id.
  return issue ? (
    <Link to="/issues/$issue" params={{ issue }} search={{ event: event.id }} className={styles.name}>
      {event.title}
    </Link>
  ) : (
    <Link to="/find" search={{ q: event.id }} className={styles.name}>
      {event.title}
    </Link>
  );
}

/** Which trace ties what was shown to what threw. */
export function FoundTraces({ traces }: { readonly traces: readonly FoundTrace[] }) {
  return (
    <ul className={styles.rows} aria-label="Traces">
      {traces.map((trace) => (
        <li key={trace.id} className={styles.row}>
          <div className={styles.what}>
            <Link
              to="/traces/$trace"
              params={{ trace: trace.id }}
              search={{ at: Math.floor(Date.parse(trace.lastSeen) / 1000) }}
              className={styles.id}
            >
              {trace.id}
            </Link>
            <span className={styles.sub}>
              <span>
                {trace.serverEvents} server, {trace.browserEvents} browser
              </span>
            </span>
          </div>
          <span className={styles.when}>
            <Time at={trace.lastSeen} />
          </span>
        </li>
      ))}
    </ul>
  );
}

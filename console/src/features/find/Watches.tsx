import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DeleteIcon, NotifiedIcon, NotifyIcon } from '../../ui/icons.ts';
import { useLive } from '../live/live.ts';
import { useOrg } from '../session/organization.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';
import { ErrorState } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Found.module.css';
import { watchesQuery } from './queries.ts';
import { useWatch } from './use-watch.ts';

/** The digests that one waits for, and what became of them; nothing where there is none. */
export function Watches() {
  const org = useOrg();
  const watches = useQuery(watchesQuery(org));
  const { unwatch } = useWatch();
  useLive((message) => {
    if (message.type === 'reconnected') void watches.refetch();
  });
  if (watches.isError)
    return (
      <ErrorState error={watches.error} retry={() => void watches.refetch()} what="Your watches could not be loaded" />
    );
  if (!watches.data?.length) return null;
  return (
    <Section
      title="Your watches"
      note="You get a notification in the console when a server error with this digest arrives."
    >
      <ul className={styles.rows} aria-label="Your watches">
        {watches.data.map((watch) => (
          <li key={watch.id} className={styles.row}>
            {watch.found ? <NotifiedIcon size={14} aria-hidden="true" /> : <NotifyIcon size={14} aria-hidden="true" />}
            <div className={styles.what}>
              {watch.found ? (
                <Link
                  to="/issues/$issue"
                  params={{ issue: watch.found.shortId }}
                  search={{ event: watch.found.eventId, q: `digest:${watch.digest}` }}
                  className={styles.name}
                >
                  {watch.digest}: {watch.found.title}
                </Link>
              ) : (
                <Link to="/find" search={{ q: watch.digest }} className={styles.name}>
                  {watch.digest}
                </Link>
              )}
              <span className={styles.sub}>
                {watch.host && <span className={styles.page}>{watch.host}</span>}
                {watch.found ? (
                  <span>
                    arrived <Time at={watch.found.dateFound} />
                  </span>
                ) : (
                  <span>
                    waiting since <Time at={watch.dateCreated} />, ends <Time at={watch.dateExpires} />
                  </span>
                )}
              </span>
            </div>
            <IconButton
              size="small"
              label={`Stop watching ${watch.digest}`}
              icon={<DeleteIcon size={14} />}
              onClick={() => unwatch(watch)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

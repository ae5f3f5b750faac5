import { useQuery } from '@tanstack/react-query';
import { groupingVersionsQuery } from '../../features/grouping/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './GroupingVersion.module.css';

/** The version of the algorithm; where there is a newer one, the way to it and what that means. */
export function GroupingVersion({
  saved,
  chosen,
  onChoose,
}: {
  readonly saved: string;
  readonly chosen: string;
  readonly onChoose: (version: string) => void;
}) {
  const { data: versions } = useQuery(groupingVersionsQuery(useOrg()));
  const latest = versions?.find((version) => version.latest)?.id;
  return (
    <section className={styles.version} aria-labelledby="grouping-version">
      <h3 id="grouping-version">Algorithm</h3>
      <p>
        <code>{chosen}</code>{' '}
        {latest === undefined
          ? ''
          : chosen !== saved
            ? `instead of ${saved}, once saved.`
            : chosen === latest
              ? 'is the newest.'
              : `is in use; ${latest} is the newest.`}
      </p>
      {latest !== undefined && saved !== latest && (
        <p className={styles.note}>
          An upgrade splits no issue: where the new version does not know an event, its hash by {saved} is looked up
          too, and the issue that has it keeps the event.
        </p>
      )}
      {latest !== undefined && saved !== latest && (
        <Button size="small" className={styles.button} onClick={() => onChoose(chosen === saved ? latest : saved)}>
          {chosen === saved ? `Upgrade to ${latest}` : `Stay with ${saved}`}
        </Button>
      )}
    </section>
  );
}

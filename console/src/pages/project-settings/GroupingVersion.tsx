import { useQuery } from '@tanstack/react-query';
import { groupingVersionsQuery } from '../../features/grouping/queries.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './GroupingVersion.module.css';

/** The version of the algorithm; where there is a newer one, the way to it and what that means. */
export function GroupingVersion({
  project,
  chosen,
  onChoose,
}: {
  readonly project: Project;
  readonly chosen: string;
  readonly onChoose: (version: string) => void;
}) {
  const { data: versions } = useQuery(groupingVersionsQuery(useOrg()));
  const { groupingConfig: saved, groupingUpgradedFrom: before, groupingUpgradedAt: upgradedAt } = project;
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
      {before && (
        <p className={styles.note}>
          Upgraded from {before}
          {upgradedAt && (
            <>
              {' '}
              <Time at={upgradedAt} />
            </>
          )}
          ; issues that it made are still found.
        </p>
      )}
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

import { useQuery } from '@tanstack/react-query';
import { UndoIcon } from '../../ui/icons.ts';
import { goOnFrom } from '../../features/grouping/go-on.ts';
import { mergesQuery, type IssueMerge } from '../../features/grouping/queries.ts';
import { RuleOffer } from '../../features/grouping/RuleOffer.tsx';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { plural } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './GroupingIssues.module.css';

/** Issues that were merged into this one, each with the way back. Left out where there is none. */
export function GroupingMerges({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const merges = useQuery(mergesQuery(org, issue.shortId));
  const { takeBack } = useGroupingActions();
  if (merges.isPending || merges.data?.length === 0) return null;
  return (
    <Panel title="Merged into this issue" id="merges" {...(merges.data && { count: merges.data.length })}>
      {merges.isError ? (
        <ErrorState
          error={merges.error}
          retry={() => void merges.refetch()}
          what="The merged issues could not be loaded"
        />
      ) : (
        <>
          <RuleOffer issue={issue.shortId} project={issue.project.slug} />
          <ul className={styles.list}>
            {merges.data.map((merge) => (
              <li key={merge.issue.id} className={styles.row}>
                <div className={styles.words}>
                  <p className={styles.title}>
                    <span className={styles.id}>{merge.issue.shortId}</span> {merge.issue.title}
                  </p>
                  <p className={styles.faint}>{brought(merge)}</p>
                </div>
                <Button
                  size="small"
                  icon={<UndoIcon size={14} />}
                  aria-label={`Take back ${merge.issue.shortId}`}
                  busy={takeBack.isPending && takeBack.variables.child.id === merge.issue.id}
                  onClick={(event) => {
                    goOnFrom(event.currentTarget);
                    takeBack.mutate({ child: merge.issue, from: issue });
                  }}
                >
                  Take back
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function brought({ events, hashes, mergedAt, by }: IssueMerge) {
  return (
    <>
      {plural(events, 'event')}, {plural(hashes, 'hash', 'hashes')} · merged <Time at={mergedAt} />
      {by && ` by ${by.name || by.email}`}
    </>
  );
}

import type { Event } from '../../features/event/types.ts';
import { useNear } from '../../features/grouping/use-near.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { GroupingHashes } from './GroupingHashes.tsx';
import { GroupingMerges } from './GroupingMerges.tsx';
import styles from './GroupingSection.module.css';
import { GroupingSimilar } from './GroupingSimilar.tsx';

/** Why these events are one issue, what was put into it by hand, and what could be. Asked for when the reader comes near. */
export function GroupingSection({ issue, event }: { readonly issue: IssueDetail; readonly event: Event }) {
  const [place, near] = useNear();
  return (
    <div ref={place} tabIndex={-1} className={styles.section}>
      {near && (
        <>
          <GroupingHashes issue={issue} event={event} />
          <GroupingMerges issue={issue} />
          <GroupingSimilar issue={issue} />
        </>
      )}
    </div>
  );
}

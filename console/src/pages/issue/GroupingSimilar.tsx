import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MergeIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { difference, type Piece } from '../../features/grouping/difference.ts';
import { goOnFrom } from '../../features/grouping/go-on.ts';
import { similarIssuesQuery, type SimilarIssue } from '../../features/grouping/queries.ts';
import { useGroupingActions } from '../../features/grouping/use-grouping-actions.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { Level } from '../../ui/Level.tsx';
import { percent, plural } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './GroupingIssues.module.css';

/** Near misses: what could be the same failure, with the part in which they differ. Left out where there is none. */
export function GroupingSimilar({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const similar = useQuery(similarIssuesQuery(org, issue.shortId));
  if (similar.isPending || similar.data?.length === 0) return null;
  return (
    <Panel title="Similar issues" id="similar" {...(similar.data && { count: similar.data.length })}>
      {similar.isError ? (
        <ErrorState
          error={similar.error}
          retry={() => void similar.refetch()}
          what="Similar issues could not be looked for"
        />
      ) : (
        <ul className={styles.list}>
          {similar.data.map((each) => (
            <Row key={each.issue.id} issue={issue} similar={each} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const shared: Readonly<Record<SimilarIssue['why'], string>> = {
  frames: 'by its frames',
  message: 'by its message',
};

function Row({ issue, similar }: { readonly issue: IssueDetail; readonly similar: SimilarIssue }) {
  const { merge, dismiss } = useGroupingActions();
  const other = similar.issue;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.title}>
          <Level level={other.level} /> <span className={styles.id}>{other.shortId}</span>{' '}
          <Link to="/issues/$issue" params={{ issue: other.shortId }}>
            {other.title}
          </Link>
        </p>
        <p className={styles.faint}>
          {percent(similar.score, 1)} alike {shared[similar.why]} · {plural(other.count, 'event')} · last{' '}
          <Time at={other.lastSeen} />
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          size="small"
          icon={<MergeIcon size={14} />}
          aria-label={`Merge ${other.shortId} into this issue`}
          tip={`${other.shortId} becomes part of ${issue.shortId}`}
          busy={merge.isPending}
          onClick={(event) => {
            goOnFrom(event.currentTarget);
            merge.mutate({ children: [other], into: issue });
          }}
        >
          Merge
        </Button>
        <Button
          size="small"
          variant="ghost"
          aria-label={`${other.shortId} is not the same`}
          busy={dismiss.isPending}
          onClick={(event) => {
            goOnFrom(event.currentTarget);
            dismiss.mutate({ issue, other });
          }}
        >
          Not the same
        </Button>
      </div>
      <Compared issue={issue} similar={similar} />
    </li>
  );
}

const shownAtFirst = 2;

function Compared({ issue, similar }: { readonly issue: IssueDetail; readonly similar: SimilarIssue }) {
  const [all, setAll] = useState(false);
  const { differing } = similar;
  if (differing.length === 0) return null;
  return (
    <div className={styles.compared}>
      {(all ? differing : differing.slice(0, shownAtFirst)).map(({ kind, here, there }, index) => {
        const { here: left, there: right } = difference(here, there);
        return (
          <div key={index} className={styles.pair}>
            <Side where={`${kind} in ${issue.shortId}`} pieces={left} />
            <Side where={`${kind} in ${similar.issue.shortId}`} pieces={right} />
          </div>
        );
      })}
      {differing.length > shownAtFirst && (
        <button type="button" className={styles.more} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `${plural(differing.length - shownAtFirst, 'more difference')}`}
        </button>
      )}
    </div>
  );
}

function Side({ where, pieces }: { readonly where: string; readonly pieces: readonly Piece[] }) {
  return (
    <div className={styles.side}>
      <span className={styles.where}>{where}</span>
      {pieces.length === 0 ? (
        <span className={styles.faint}>nothing of the kind</span>
      ) : (
        <code>{pieces.map(({ text, differs }, index) => (differs ? <mark key={index}>{text}</mark> : text))}</code>
      )}
    </div>
  );
}

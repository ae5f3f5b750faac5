import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as m from '../../messages/feedback.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { useOrg } from '../session/organization.ts';
import styles from './feedback.module.css';
import { type Feedback, feedbackOfIssueQuery } from './queries.ts';
import { whoWrote } from './words.ts';

/** What users said of the issue; nothing where no one did. */
export function FeedbackOfIssue({ issue }: { readonly issue: string }) {
  const { data } = useQuery(feedbackOfIssueQuery(useOrg(), issue));
  if (!data?.feedback.length) return null;
  const { open, resolved, spam } = data.counts;
  return (
    <Panel title={m.usersSay} id="feedback" count={open + resolved + spam} boxed={false}>
      <DataList compact>
        {data.feedback.map((each) => (
          <FeedbackOfIssueRow key={each.id} feedback={each} />
        ))}
      </DataList>
    </Panel>
  );
}

export function FeedbackOfIssueRow({ feedback }: { readonly feedback: Feedback }) {
  const { id, message, dateCreated } = feedback;
  return (
    <DataRow
      title={
        <p className={styles.message} translate="no">
          {message}
        </p>
      }
      facts={
        <Facts>
          <span translate="no">{whoWrote(feedback)}</span>
          <Time at={dateCreated} />
          <Link to="/feedback" search={{ id, status: 'all' }}>
            {m.open}
          </Link>
        </Facts>
      }
    />
  );
}

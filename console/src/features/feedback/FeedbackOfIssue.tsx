import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { useOrg } from '../session/organization.ts';
import styles from './feedback.module.css';
import { feedbackOfIssueQuery } from './queries.ts';
import { whoWrote } from './words.ts';

/** What users said of the issue; nothing where nobody did. */
export function FeedbackOfIssue({ issue }: { readonly issue: string }) {
  const { data } = useQuery(feedbackOfIssueQuery(useOrg(), issue));
  if (!data?.feedback.length) return null;
  const { open, resolved, spam } = data.counts;
  return (
    <Panel title="What users say" id="feedback" count={open + resolved + spam}>
      <ul className={styles.said}>
        {data.feedback.map((each) => (
          <li key={each.id}>
            <p className={styles.message}>{each.message}</p>
            <p className={styles.by}>
              {whoWrote(each)} · <Time at={each.dateCreated} /> ·{' '}
              <Link to="/feedback" search={{ id: each.id, status: 'all' }}>
                Open
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

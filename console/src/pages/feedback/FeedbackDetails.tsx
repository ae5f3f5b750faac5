import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Attachments } from '../../features/attachments/Attachments.tsx';
import { withKey } from '../../features/commands/shortcuts.ts';
import { feedbackQuery, useDeleteFeedback } from '../../features/feedback/queries.ts';
import { whoWrote } from '../../features/feedback/words.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './FeedbackPage.module.css';

/** One, whole: what was said, by whom, where, and what failed then. */
export function FeedbackDetails({
  id,
  onAct,
  onClose,
}: {
  readonly id: string;
  readonly onAct: (to: 'resolved' | 'spam') => void;
  readonly onClose: () => void;
}) {
  const org = useOrg();
  const { data, error, refetch, isPending } = useQuery(feedbackQuery(org, id));
  const [asking, setAsking] = useState(false);
  const mayDelete = useSession().organization.access.includes('event:admin');
  const remove = useDeleteFeedback(org, onClose);
  if (isPending) return <Skeleton rows={3} height={48} label="Loading what was said" />;
  if (!data) return <ErrorState error={error} retry={() => void refetch()} what="This could not be loaded" />;
  const { issue, project, email, url, eventId, traceId, attachments } = data;
  return (
    <article className={styles.article} aria-label={`Feedback of ${whoWrote(data)}`}>
      <header className={styles.top}>
        <div>
          <h2>{whoWrote(data)}</h2>
          <p className={styles.faint}>
            <Time at={data.dateCreated} /> · {project.name}
            {data.source && ` · ${data.source}`}
          </p>
        </div>
        <div className={styles.actions}>
          <Button tip={withKey('Resolve', 'issue.resolve')} onClick={() => onAct('resolved')}>
            {data.status === 'resolved' ? 'Reopen' : 'Resolve'}
          </Button>
          <Button variant="ghost" tip={withKey('Spam', 'issue.archive')} onClick={() => onAct('spam')}>
            {data.status === 'spam' ? 'Not spam' : 'Spam'}
          </Button>
          {mayDelete && (
            <Button variant="ghost" onClick={() => setAsking(true)}>
              Delete
            </Button>
          )}
          <Button variant="ghost" className={styles.back} onClick={onClose}>
            Back
          </Button>
        </div>
      </header>
      <p className={styles.message}>{data.message}</p>
      {attachments.length > 0 && (
        <Attachments owner={{ org, project: project.slug, event: data.feedbackId }} attachments={attachments} />
      )}
      <dl className={styles.details}>
        {issue && (
          <Fact name="Issue">
            <Link to="/issues/$issue" params={{ issue: issue.shortId }} search={eventId ? { event: eventId } : {}}>
              {issue.shortId} {issue.title}
            </Link>
          </Fact>
        )}
        {eventId && !issue && (
          <Fact name="Event">
            <code>{eventId}</code> has not arrived
          </Fact>
        )}
        {email && (
          <Fact name="E-mail">
            <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>{' '}
            <CopyButton text={email} label="Copy the address" variant="ghost" />
          </Fact>
        )}
        {url && (
          <Fact name="Page">
            <Address url={url} />
          </Fact>
        )}
        {traceId && (
          <Fact name="Trace">
            <Link to="/traces/$trace" params={{ trace: traceId }}>
              <code>{traceId.slice(0, 8)}</code>
            </Link>
          </Fact>
        )}
        {data.release && (
          <Fact name="Release">
            <Link to="/releases/$version" params={{ version: data.release }}>
              {data.release}
            </Link>
          </Fact>
        )}
        {data.environment && <Fact name="Environment">{data.environment}</Fact>}
        {data.user && <Fact name="Signed in as">{data.user}</Fact>}
        {data.browser && <Fact name="Browser">{data.browser}</Fact>}
        {data.os && <Fact name="System">{data.os}</Fact>}
        {data.tags.map(({ key, value }) => (
          <Fact key={key} name={key}>
            {value}
          </Fact>
        ))}
      </dl>
      {asking && (
        <Confirm
          title="Delete this feedback?"
          action="Delete"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(id)}
          onClose={() => setAsking(false)}
        >
          What was said is gone for good. Its attachments go with the events of that time.
        </Confirm>
      )}
    </article>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A link only where it leads to a page; anybody may have written it. */
const Address = ({ url }: { readonly url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener nofollow">
      {url}
    </a>
  ) : (
    <>{url}</>
  );

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Attachments } from '../../features/attachments/Attachments.tsx';
import { withKey } from '../../features/commands/shortcuts.ts';
import { type FeedbackDetail, feedbackQuery, useDeleteFeedback } from '../../features/feedback/queries.ts';
import { whoWrote } from '../../features/feedback/words.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/feedback-page.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './FeedbackPage.module.css';

interface Props {
  readonly onAct: (to: 'resolved' | 'spam') => void;
  readonly onClose: () => void;
}

/** One, whole: what was said, by whom, where, and what failed then. */
export function FeedbackDetails({ id, ...props }: Props & { readonly id: string }) {
  const feedback = useQuery(feedbackQuery(useOrg(), id));
  return (
    <QueryView query={feedback} loading={m.oneLoading} failed={m.oneFailed}>
      {(data) => <Details feedback={data} {...props} />}
    </QueryView>
  );
}

function Details({ feedback, onAct, onClose }: Props & { readonly feedback: FeedbackDetail }) {
  const org = useOrg();
  const [asking, setAsking] = useState(false);
  const may = useMay('event:write');
  const mayDelete = useMay('event:admin');
  const remove = useDeleteFeedback(org, onClose);
  const { id, project, source, status, attachments } = feedback;
  const who = whoWrote(feedback);
  return (
    <article className={styles.article} aria-label={m.by({ name: who })}>
      <header>
        <Inline align="apart" gap={16}>
          <div>
            <h2 className={styles.who} translate="no">
              {who}
            </h2>
            <Facts>
              <Time at={feedback.dateCreated} />
              <span translate="no">{project.name}</span>
              {source && <span translate="no">{source}</span>}
            </Facts>
          </div>
          <Inline gap={4}>
            {may && (
              <>
                <Button tip={withKey(m.resolve, 'issue.resolve')} onClick={() => onAct('resolved')}>
                  {status === 'resolved' ? m.reopen : m.resolve}
                </Button>
                <Button variant="ghost" tip={withKey(m.spam, 'issue.archive')} onClick={() => onAct('spam')}>
                  {status === 'spam' ? m.notSpam : m.spam}
                </Button>
              </>
            )}
            {mayDelete && (
              <Button variant="ghost" onClick={() => setAsking(true)}>
                {m.remove}
              </Button>
            )}
            <Button variant="ghost" className={styles.back} onClick={onClose}>
              {m.back}
            </Button>
          </Inline>
        </Inline>
      </header>
      <p className={styles.message} translate="no">
        {feedback.message}
      </p>
      {attachments.length > 0 && (
        <Attachments owner={{ org, project: project.slug, event: feedback.feedbackId }} attachments={attachments} />
      )}
      <FeedbackFacts feedback={feedback} />
      {asking && (
        <Confirm
          title={m.deleteTitle}
          action={m.remove}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(id)}
          onClose={() => setAsking(false)}
        >
          {m.deleteHint}
        </Confirm>
      )}
    </article>
  );
}

/** Where it was written, by whom, and what failed then. */
export function FeedbackFacts({ feedback }: { readonly feedback: FeedbackDetail }) {
  const { issue, eventId, email, url, traceId, release } = feedback;
  const plain = [
    [m.environment, feedback.environment],
    [m.user, feedback.user],
    [m.browser, feedback.browser],
    [m.os, feedback.os],
  ] as const;
  return (
    <KeyValue>
      {issue && (
        <Pair name={m.issue}>
          <Link to="/issues/$issue" params={{ issue: issue.shortId }} search={eventId ? { event: eventId } : {}}>
            <span translate="no">
              {issue.shortId} {issue.title}
            </span>
          </Link>
        </Pair>
      )}
      {eventId && !issue && <Pair name={m.event}>{m.eventMissing({ event: eventId })}</Pair>}
      {email && (
        <Pair name={m.email}>
          <Inline>
            <a href={`mailto:${encodeURIComponent(email)}`} translate="no">
              {email}
            </a>
            <CopyButton text={email} label={m.copyEmail} variant="ghost" />
          </Inline>
        </Pair>
      )}
      {url && (
        <Pair name={m.page}>
          <Address url={url} />
        </Pair>
      )}
      {traceId && (
        <Pair name={m.trace}>
          <Link to="/traces/$trace" params={{ trace: traceId }}>
            <code>{traceId.slice(0, 8)}</code>
          </Link>
        </Pair>
      )}
      {release && (
        <Pair name={m.release}>
          <Link to="/releases/$version" params={{ version: release }} translate="no">
            {release}
          </Link>
        </Pair>
      )}
      {plain.map(
        ([name, value]) =>
          value && (
            <Pair key={name} name={name}>
              <span translate="no">{value}</span>
            </Pair>
          ),
      )}
      {feedback.tags.map(({ key, value }) => (
        <Pair key={key} name={<span translate="no">{key}</span>}>
          <span translate="no">{value}</span>
        </Pair>
      ))}
    </KeyValue>
  );
}

/** A link only where it leads to a page: it comes from outside. */
const Address = ({ url }: { readonly url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener nofollow" translate="no">
      {url}
    </a>
  ) : (
    <span translate="no">{url}</span>
  );

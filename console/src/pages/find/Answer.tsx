import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Chips } from '../../features/find/Chips.tsx';
import { placeOf, tracePlaceOf, without } from '../../features/find/places.ts';
import { findQuery, type FindAnswer, type FindScope } from '../../features/find/queries.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { useOrg } from '../../features/session/organization.ts';
import { EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { BrowserOnly } from './BrowserOnly.tsx';
import { Causes } from './Causes.tsx';
import { FoundPage } from './FoundPage.tsx';
import { Nothing } from './Nothing.tsx';
import styles from './FindPage.module.css';

/** Events may still be in the log: so long an answer that lacks the cause is asked for again. */
const patienceMs = 120_000;
const everyMs = 3_000;

/** Asks once, then waits for what may still come; the one issue that answers is gone to. */
export function Answer({
  text,
  scope,
  onText,
  onScope,
}: {
  readonly text: string;
  readonly scope: FindScope;
  readonly onText: (text: string) => void;
  readonly onScope: (scope: FindScope) => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [until, setUntil] = useState(() => Date.now() + patienceMs);
  const answer = useQuery({
    ...findQuery(org, text, scope),
    // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
    refetchOnMount: false,
    refetchInterval: ({ state }) => (lacksCause(state.data) && Date.now() < until ? everyMs : false),
  });
  // Asked again when it runs, too: the last of a burst runs up to a second later, when the patience may be over.
  const waiting = (): boolean => lacksCause(answer.data) && Date.now() < until;
  const follow = useThrottled(() => {
    if (waiting()) void answer.refetch();
  }, 1000);
  useLive(() => {
    if (waiting()) follow();
  });

  const { data } = answer;
  useEffect(() => {
    if (!data) return;
    const place = placeOf(data, scope);
    if (place) {
      // The strip on the issue page asks by the number alone, and has its answer then.
      if (data.kind === 'cause' && data.matchedBy === 'digest')
        queries.setQueryData(findQuery(org, data.value, { ...scope, project: undefined }).queryKey, data);
      const { issue, event, q } = place;
      void navigate({ to: '/issues/$issue', params: { issue }, search: { event, q }, replace: true });
      return;
    }
    const traced = tracePlaceOf(data);
    if (traced) {
      const { trace, span, at } = traced;
      void navigate({ to: '/traces/$trace', params: { trace }, search: { span, at }, replace: true });
    } else if (data.kind === 'search') {
      void navigate({ to: '/issues', search: { q: data.search, status: 'all' }, replace: true });
    }
  }, [data, scope, org, navigate, queries]);

  if (answer.isPending) return <Skeleton rows={4} height={56} label="Looking" />;
  if (answer.isError && !data)
    return <ErrorState error={answer.error} retry={() => void answer.refetch()} what="This could not be looked up" />;
  if (!data || placeOf(data, scope) || data.kind === 'search' || data.kind === 'trace')
    return <Skeleton rows={4} height={56} label="Opening what was found" />;

  const again = (): void => {
    setUntil(Date.now() + patienceMs);
    void answer.refetch();
  };
  return (
    <>
      <Chips
        understood={data.understood}
        scope={scope}
        onRemove={(part) => onText(without(text, part))}
        onScope={onScope}
      />
      <div className={styles.answer}>
        {data.kind === 'cause' ? (
          <Causes answer={data} scope={scope} onScope={onScope} />
        ) : data.kind === 'browser_only' ? (
          <BrowserOnly answer={data} until={until} again={again} />
        ) : data.kind === 'page' ? (
          <FoundPage answer={data} />
        ) : data.kind === 'nothing' ? (
          <Nothing answer={data} scope={scope} until={until} again={again} onScope={onScope} />
        ) : (
          <EmptyState title="There is nothing in this text to look for">
            <p>Paste the message of an error page, its number, an id, an address, or words of the error.</p>
          </EmptyState>
        )}
      </div>
    </>
  );
}

function lacksCause(answer: FindAnswer | undefined): boolean {
  return answer?.kind === 'nothing' || answer?.kind === 'browser_only';
}

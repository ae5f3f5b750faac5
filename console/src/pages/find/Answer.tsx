import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import * as m from '../../messages/find.ts';
import { placeOf, tracePlaceOf, without } from '../../features/find/places.ts';
import { findQuery, type FindAnswer, type FindScope } from '../../features/find/queries.ts';
import { Understood } from '../../features/find/Understood.tsx';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { Stack } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { BrowserOnly } from './BrowserOnly.tsx';
import { Causes } from './Causes.tsx';
import { nothingToSearch } from './empty.ts';
import { FoundPage } from './FoundPage.tsx';
import { NothingFound } from './NothingFound.tsx';

/** Events may still be in the log: for that long an answer that lacks the cause is requested again. */
const patienceMs = 120_000;
const everyMs = 3_000;

interface Props {
  readonly text: string;
  readonly scope: FindScope;
  readonly onText: (text: string) => void;
  readonly onScope: (scope: FindScope) => void;
}

/** Searches once, then waits for what may still arrive; the one issue that answers is opened. */
export function Answer({ text, scope, onText, onScope }: Props) {
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
  // Checked again when it runs: the last of a burst runs up to a second later, when the patience may be over.
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
      // The strip on the issue page queries by the digest alone, and has its answer then.
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

  const again = (): void => {
    setUntil(Date.now() + patienceMs);
    void answer.refetch();
  };
  return (
    <QueryView query={answer} loading={m.searching} failed={m.failed} rows={4} height={56}>
      {(found) =>
        placeOf(found, scope) || found.kind === 'search' || found.kind === 'trace' ? (
          <Skeleton rows={4} height={56} label={m.opening} />
        ) : (
          <Stack gap={24}>
            <Understood
              parts={found.understood}
              scope={scope}
              onRemove={(part) => onText(without(text, part))}
              onScope={onScope}
            />
            <Shown answer={found} scope={scope} until={until} again={again} onScope={onScope} />
          </Stack>
        )
      }
    </QueryView>
  );
}

interface ShownProps extends Pick<Props, 'scope' | 'onScope'> {
  readonly answer: FindAnswer;
  readonly until: number;
  readonly again: () => void;
}

function Shown({ answer, scope, until, again, onScope }: ShownProps) {
  switch (answer.kind) {
    case 'cause':
      return <Causes answer={answer} scope={scope} onScope={onScope} />;
    case 'browser_only':
      return <BrowserOnly answer={answer} until={until} again={again} />;
    case 'page':
      return <FoundPage answer={answer} />;
    case 'nothing':
      return <NothingFound answer={answer} scope={scope} until={until} again={again} onScope={onScope} />;
    default:
      return <Empty of={nothingToSearch} />;
  }
}

function lacksCause(answer: FindAnswer | undefined): boolean {
  return answer?.kind === 'nothing' || answer?.kind === 'browser_only';
}

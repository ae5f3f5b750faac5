import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useLive } from '../live/live.ts';
import { useOrg } from '../session/organization.ts';
import * as m from '../../messages/find.ts';
import { toast } from '../../ui/toasts.ts';
import { markWatchSeen, watchesQuery } from './queries.ts';

/**
 * Notifies when a watched digest has arrived: from the live stream, and on the next visit when it came meanwhile. Waits
 * until the tab is visible, since a notice in a hidden tab is gone before it is read. Draws nothing.
 */
export function WatchNews() {
  const org = useOrg();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const watches = useQuery(watchesQuery(org));
  const visible = useSyncExternalStore(subscribeVisibility, () => document.visibilityState === 'visible');
  const announced = useRef(new Set<string>());

  useLive((message) => {
    if (message.type !== 'digest' && message.type !== 'reconnected') return;
    void watches.refetch();
    if (message.type === 'digest') void queries.invalidateQueries({ queryKey: ['find', org] });
  });

  useEffect(() => {
    if (!visible) return;
    for (const { id, digest, seen, found } of watches.data ?? []) {
      if (!found || seen || announced.current.has(id)) continue;
      announced.current.add(id);
      toast(m.digestArrived({ digest, title: found.title }), {
        action: {
          label: m.openIssue({ id: found.shortId }),
          run: () =>
            void navigate({
              to: '/issues/$issue',
              params: { issue: found.shortId },
              search: { event: found.eventId, q: `digest:${digest}` },
            }),
        },
      });
      // Notified again on the next visit where this fails, which is better than never.
      markWatchSeen(org, id).then(
        () => queries.invalidateQueries({ queryKey: ['watches', org] }),
        () => undefined,
      );
    }
  }, [visible, watches.data, org, navigate, queries]);
  return null;
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

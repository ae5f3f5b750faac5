import type { UseQueryResult } from '@tanstack/react-query';
import { OfflineIcon, RetryIcon } from './icons.ts';
import type { ReactNode } from 'react';
import * as m from '../messages/ui.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';
import styles from './QueryView.module.css';
import { BusyBar, describeError, EmptyState, ErrorState, Skeleton } from './State.tsx';
import { Time } from './Time.tsx';

type Query<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'fetchStatus' | 'dataUpdatedAt' | 'refetch'>;
type Queries = Query<unknown> | readonly Query<unknown>[];
type Data<Q> = Q extends readonly unknown[]
  ? { readonly [K in keyof Q]: Data<Q[K]> }
  : Q extends { readonly data: infer T }
    ? Exclude<T, undefined>
    : never;

interface Props<Q extends Queries> {
  /** One, or several that are shown together. */
  readonly query: Q;
  /** What is said while it loads: "Loading teams". */
  readonly loading: string;
  /** What is said when it cannot: "The teams could not be loaded". */
  readonly failed: string;
  /** How many rows of which height stand in its place, px. */
  readonly rows?: number;
  readonly height?: number;
  /** In their place, where what comes is no list. */
  readonly skeleton?: ReactNode;
  /** In the place of an empty list; left out, `children` draw that too. */
  readonly empty?: ReactNode;
  readonly isEmpty?: (data: Data<Q>) => boolean;
  /** Offered when an answer takes long. */
  readonly cancel?: () => void;
  readonly children: (data: Data<Q>) => ReactNode;
}

/**
 * What a question to the server looks like from its beginning: loading, empty, failed, offline, and then its answer, which
 * stays while it is asked again.
 */
export function QueryView<const Q extends Queries>({
  query,
  loading,
  failed,
  rows = 3,
  height = 56,
  skeleton,
  empty,
  isEmpty = isEmptyList,
  cancel,
  children,
}: Props<Q>) {
  const all: readonly Query<unknown>[] = Array.isArray(query) ? query : [query];
  const missing = all.filter(({ data }) => data === undefined);
  const broken = all.filter(({ error }) => error !== null);
  const retry = (): void => {
    for (const { refetch } of broken) void refetch();
  };
  const error = (missing.find((one) => one.error) ?? broken[0])?.error;
  if (missing.some((one) => one.error)) return <ErrorState error={error} retry={retry} what={failed} />;
  const isPaused = all.some(({ fetchStatus }) => fetchStatus === 'paused');
  if (missing.length > 0)
    return isPaused ? (
      <EmptyState title={m.offline} icon={<OfflineIcon size={24} />}>
        <p>{m.offlineHint}</p>
      </EmptyState>
    ) : (
      (skeleton ?? <Skeleton rows={rows} height={height} label={loading} />)
    );
  const answers = all.map(({ data }) => data);
  const data = (Array.isArray(query) ? answers : answers[0]) as Data<Q>;
  const isAsking = all.some(({ fetchStatus }) => fetchStatus === 'fetching');
  const since = Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt));
  return (
    <div className={styles.view} aria-busy={isAsking || undefined}>
      <div className={styles.busy}>
        <BusyBar busy={isAsking} {...(cancel && { cancel })} />
      </div>
      {(error || isPaused) && !isAsking && (
        <Notice tone="warning" says="status">
          <p className={styles.stale}>
            <span>
              {isPaused
                ? m.offlineSince({ when: <Time at={since} /> })
                : m.notUpdated({ reason: describeError(error).message, when: <Time at={since} /> })}
            </span>
            {!isPaused && (
              <Button size="small" icon={<RetryIcon size={14} />} onClick={retry}>
                {m.retry}
              </Button>
            )}
          </p>
        </Notice>
      )}
      {empty !== undefined && isEmpty(data) ? empty : children(data)}
    </div>
  );
}

function isEmptyList(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0;
}

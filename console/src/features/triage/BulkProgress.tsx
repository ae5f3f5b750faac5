import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CloseIcon } from '../../ui/icons.ts';
import { useEffect, useRef, type ReactNode } from 'react';
import { ApiError } from '../../api/errors.ts';
import * as m from '../../messages/bulk.ts';
import { undo as undoLabel } from '../../messages/triage.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { percent } from '../../ui/numbers.ts';
import { useNow } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useLive } from '../live/live.ts';
import { useOrg } from '../session/organization.ts';
import { addUndo } from '../commands/undo.ts';
import styles from './BulkProgress.module.css';
import { dismissBulk, useStartedBulks, type StartedBulk } from './bulk-store.ts';
import { bulkWords, isUnderWay } from './bulk-words.ts';
import { bulkQuery, cancelBulk, undoChange, type Bulk } from './queries.ts';

/** The progress of changes of whole searches, with buttons to cancel and to undo them. */
export function BulkProgress() {
  const started = useStartedBulks();
  return started.map((each) => <Progress key={each.id} started={each} />);
}

const lookEveryMs = 1500;

function Progress({ started: { id, what } }: { readonly started: StartedBulk }) {
  const org = useOrg();
  const queries = useQueryClient();
  const now = useNow();
  const options = bulkQuery(org, id);
  const { data, error } = useQuery({
    ...options,
    // The stream tells it as it happens; this is for when the stream is interrupted.
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.state) ? lookEveryMs : false),
  });
  useLive((message) => {
    const isMine = message.type === 'bulk' && message.id === id;
    if (isMine) queries.setQueryData<Bulk>(options.queryKey, (before) => before && { ...before, ...message, id });
    // The stream does not tell until when it can be undone.
    if (message.type === 'reconnected' || (isMine && !isUnderWay(message.state)))
      void queries.invalidateQueries({ queryKey: options.queryKey });
  });
  const known = (bulk: Bulk): void => void queries.setQueryData(options.queryKey, bulk);
  const failed = (reason: Error): void => toast(reason.message, { kind: 'failed' });
  const cancel = useMutation({ mutationFn: () => cancelBulk(org, id), onSuccess: known, onError: failed });
  const undo = useMutation({ mutationFn: () => undoChange(org, id), onSuccess: known, onError: failed });

  const words = data && bulkWords(data, what, now);
  const state = data?.state;
  // Lists show it as it is when it is over; by key it can be undone from then on.
  const was = useRef(state);
  const undoNow = useRef(undo.mutate);
  useEffect(() => {
    undoNow.current = undo.mutate;
  });
  useEffect(() => {
    const before = was.current;
    was.current = state;
    if (state === undefined || isUnderWay(state) || before === undefined || before === state) return;
    void queries.invalidateQueries({ queryKey: ['issues', org, 'list'] });
    if (state === 'done') addUndo(() => undoNow.current());
  }, [state, queries, org]);

  // Forgotten by the server after a day.
  if (error instanceof ApiError && error.status === 404)
    return <Line text={m.bulkTooOld} onClose={() => dismissBulk(id)} />;
  if (!words) return null;
  return (
    <Line {...words} onClose={isUnderWay(data.state) ? undefined : () => dismissBulk(id)}>
      {words.can === 'cancel' && (
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {m.cancel}
        </Button>
      )}
      {words.can === 'undo' && (
        <Button size="small" busy={undo.isPending} onClick={() => undo.mutate()}>
          {undoLabel}
        </Button>
      )}
    </Line>
  );
}

function Line({
  text,
  part,
  failed = false,
  onClose,
  children,
}: {
  readonly text: string;
  readonly part?: number | undefined;
  readonly failed?: boolean;
  readonly onClose: (() => void) | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <section className={cx(styles.line, failed && styles.failed)} aria-label={m.bulk}>
      <span className={styles.text}>
        {part === undefined ? <output>{text}</output> : text}
        {part !== undefined && (
          <progress className={styles.progress} aria-label={text} value={part} max={1}>
            {percent(part, 1)}
          </progress>
        )}
      </span>
      {children}
      {onClose && <IconButton size="small" label={m.dismiss} icon={<CloseIcon size={14} />} onClick={onClose} />}
    </section>
  );
}

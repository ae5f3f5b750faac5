import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { percent } from '../../ui/numbers.ts';
import { CloseIcon } from '../../ui/icons.ts';
import { useEffect, useRef, type ReactNode } from 'react';
import { ApiError } from '../../api/errors.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { useNow } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useLive } from '../live/live.ts';
import { useOrg } from '../session/organization.ts';
import { addUndo } from '../commands/undo.ts';
import styles from './BulkProgress.module.css';
import { putAwayBulk, useStartedBulks, type StartedBulk } from './bulk-store.ts';
import { bulkWords, isUnderWay } from './bulk-words.ts';
import { bulkQuery, cancelBulk, undoChange, type Bulk } from './queries.ts';

/** How far the changes of whole searches are, with the way to stop them and the way back. */
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
    // The stream says it as it happens; this is for when the stream is away.
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.state) ? lookEveryMs : false),
  });
  useLive((message) => {
    const isMine = message.type === 'bulk' && message.id === id;
    if (isMine) queries.setQueryData<Bulk>(options.queryKey, (before) => before && { ...before, ...message, id });
    // The stream does not say until when it can be taken back.
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
  const takeBack = useRef(undo.mutate);
  useEffect(() => {
    takeBack.current = undo.mutate;
  });
  useEffect(() => {
    const before = was.current;
    was.current = state;
    if (state === undefined || isUnderWay(state) || before === undefined || before === state) return;
    void queries.invalidateQueries({ queryKey: ['issues', org, 'list'] });
    if (state === 'done') addUndo(() => takeBack.current());
  }, [state, queries, org]);

  // Forgotten by the server after a day.
  if (error instanceof ApiError && error.status === 404)
    return <Line text="This change is too old to show." onClose={() => putAwayBulk(id)} />;
  if (!words) return null;
  return (
    <Line {...words} onClose={isUnderWay(data.state) ? undefined : () => putAwayBulk(id)}>
      {words.can === 'cancel' && (
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {words.can === 'undo' && (
        <Button size="small" busy={undo.isPending} onClick={() => undo.mutate()}>
          Undo
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
    <section className={cx(styles.line, failed && styles.failed)} aria-label="Change of many issues">
      <span className={styles.text}>
        {part === undefined ? <output>{text}</output> : text}
        {part !== undefined && (
          <progress className={styles.bar} aria-label={text} value={part} max={1}>
            {percent(part, 1)}
          </progress>
        )}
      </span>
      {children}
      {onClose && <IconButton size="small" label="Dismiss" icon={<CloseIcon size={14} />} onClick={onClose} />}
    </section>
  );
}

import { habitOf } from '@culprit/stacktrace';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import * as m from '../../messages/threads-panel.ts';
import { bootQuery } from '../session/boot.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Facts, Nothing } from '../../ui/Text.tsx';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';
import { LanguageStack } from './LanguageStack.tsx';
import { type Locking, lockingOf, matching, type Thread, threadName } from './threads.ts';

/** Rows before one asks for all. */
const atFirst = 10;

/** All threads at the moment of the event, the one that failed first, as the API has them; each with its stack. */
export function Threads({
  threads,
  platform,
}: {
  readonly threads: readonly Thread[];
  readonly platform: string | null;
}) {
  const [typed, setTyped] = useState('');
  const [all, setAll] = useState(false);
  const found = matching(threads, typed);
  const shown = all ? found : found.slice(0, atFirst);
  return (
    <Panel title={m.title} id="threads" count={threads.length} boxed={false}>
      {threads.length > 2 && (
        <Toolbar bare>
          <SearchInput
            label={m.search}
            placeholder={m.search}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Toolbar>
      )}
      {found.length === 0 ? (
        <Nothing>{m.noMatch}</Nothing>
      ) : (
        <DataList label={m.title} compact>
          {shown.map((thread) => (
            <ThreadRow key={threads.indexOf(thread)} thread={thread} threads={threads} platform={platform} />
          ))}
        </DataList>
      )}
      {shown.length < found.length && (
        <Button size="small" variant="ghost" onClick={() => setAll(true)}>
          {m.showAll({ count: found.length })}
        </Button>
      )}
    </Panel>
  );
}

function ThreadRow({
  thread,
  threads,
  platform,
}: {
  readonly thread: Thread;
  readonly threads: readonly Thread[];
  readonly platform: string | null;
}) {
  const id = useId();
  const order = useQueryClient().getQueryData(bootQuery.queryKey)?.preferences?.stackOrder ?? habitOf(platform);
  const [open, setOpen] = useState(false);
  const name = <span translate="no">{threadName(thread) || m.unnamed}</span>;
  const { stacktrace } = thread;
  return (
    <DataRow
      title={
        <Inline>
          {stacktrace ? (
            <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
              {name}
            </Disclosure>
          ) : (
            name
          )}
          {thread.crashed && <Flag kind="plain">{m.crashed}</Flag>}
          {thread.current && !thread.crashed && <Flag kind="plain">{m.current}</Flag>}
        </Inline>
      }
      facts={
        <Facts>
          {thread.state && <span translate="no">{thread.state}</span>}
          {thread.main && thread.name !== 'main' && m.main}
          {thread.daemon && m.daemon}
          {thread.priority !== null && m.priority({ priority: thread.priority })}
          {lockingOf(thread, threads).map((lock) => (
            <span key={lock.what}>{lockWords(lock)}</span>
          ))}
          {!stacktrace && m.noStack}
        </Facts>
      }
    >
      {open && stacktrace && (
        <div id={id}>
          <LanguageStack stacktrace={stacktrace} platform={platform} full={false} main={false} order={order} />
        </div>
      )}
    </DataRow>
  );
}

function lockWords({ kind, what, holder }: Locking): string {
  if (kind === 'holds') return m.holds({ what });
  if (kind === 'sleeps') return m.sleeps({ what });
  return holder === undefined ? m.waits({ what }) : m.waitsFor({ what, holder });
}

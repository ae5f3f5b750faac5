import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ExploreIcon } from '../../ui/icons.ts';
import { useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { exploreRequests } from '../../features/explore/links.ts';
import type { TracesSearch } from '../../features/traces/search.ts';
import { traceIn } from '../../features/traces/words.ts';
import { buttonClass } from '../../ui/Button.tsx';
import fieldStyles from '../../ui/Field.module.css';
import { InlineSelect } from '../../ui/Field.tsx';
import styles from './TracesPage.module.css';

const route = getRouteApi('/shell/traces');

/** Text, outcome and order of the list, all of them in the address. An id of a trace or a span leads straight there. */
export function Tools({ search }: { readonly search: TracesSearch }) {
  const change = route.useNavigate();
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  useCommand('list.search', () => box.current?.focus());
  const set = (changes: Partial<TracesSearch>): void =>
    void change({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
  /** Whether the text named something to go to. */
  const goTo = (text: string): boolean => {
    const found = traceIn(text);
    if (found?.trace)
      void navigate({ to: '/traces/$trace', params: { trace: found.trace }, search: { span: found.span } });
    else if (found?.span) void navigate({ to: '/find', search: { q: found.span } });
    return found !== undefined;
  };
  return (
    <form
      className={styles.tools}
      onSubmit={(event) => {
        event.preventDefault();
        const q = String(new FormData(event.currentTarget).get('name') ?? '').trim();
        if (!goTo(q)) set({ q: q || undefined });
      }}
    >
      <input
        key={search.q}
        ref={box}
        name="name"
        type="search"
        className={fieldStyles.input}
        aria-label="Part of the name, or an id"
        defaultValue={search.q}
        placeholder="Name, or a trace or span id"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onPaste={(event) => {
          if (goTo(event.clipboardData.getData('text'))) event.preventDefault();
        }}
      />
      <InlineSelect
        label="Outcome"
        value={search.failed ?? ''}
        onChange={(event) =>
          set({ failed: event.target.value === '' ? undefined : (event.target.value as 'true' | 'false') })
        }
      >
        <option value="">Failed or not</option>
        <option value="true">Failed</option>
        <option value="false">Not failed</option>
      </InlineSelect>
      <InlineSelect
        label="Sort by"
        value={search.sort ?? 'newest'}
        onChange={(event) => set({ sort: event.target.value === 'slowest' ? 'slowest' : undefined })}
      >
        <option value="newest">Newest first</option>
        <option value="slowest">Slowest first</option>
      </InlineSelect>
      <Link to="/explore" search={exploreRequests(search)} className={buttonClass('ghost')}>
        <ExploreIcon size={14} /> Explore these
      </Link>
    </form>
  );
}

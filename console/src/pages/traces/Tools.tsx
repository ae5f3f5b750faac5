import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { exploreRequests } from '../../features/explore/links.ts';
import type { TracesSearch } from '../../features/traces/search.ts';
import { traceIn } from '../../features/traces/words.ts';
import * as m from '../../messages/traces.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { ExploreIcon } from '../../ui/icons.ts';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';

const route = getRouteApi('/shell/traces');
const outcomes = ['true', 'false'] as const;

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
    <Toolbar>
      <SearchInput
        key={search.q}
        ref={box}
        label={m.search}
        defaultValue={search.q}
        placeholder={m.searchHint}
        maxLength={200}
        onSearch={(text) => {
          if (!goTo(text)) set({ q: text || undefined });
        }}
        onPaste={(event) => {
          if (goTo(event.clipboardData.getData('text'))) event.preventDefault();
        }}
      />
      <InlineSelect
        label={m.outcome}
        value={search.failed ?? ''}
        onChange={(event) => set({ failed: outcomes.find((each) => each === event.target.value) })}
      >
        <option value="">{m.outcomes.any}</option>
        {outcomes.map((outcome) => (
          <option key={outcome} value={outcome}>
            {m.outcomes[outcome]}
          </option>
        ))}
      </InlineSelect>
      <InlineSelect
        label={m.sortBy}
        value={search.sort ?? 'newest'}
        onChange={(event) => set({ sort: event.target.value === 'slowest' ? 'slowest' : undefined })}
      >
        <option value="newest">{m.sorts.newest}</option>
        <option value="slowest">{m.sorts.slowest}</option>
      </InlineSelect>
      <Link to="/explore" search={exploreRequests(search)} className={buttonClass('ghost')}>
        <ExploreIcon size={14} /> {m.explore}
      </Link>
    </Toolbar>
  );
}

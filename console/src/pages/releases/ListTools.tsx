import { getRouteApi } from '@tanstack/react-router';
import * as m from '../../messages/releases.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';

const route = getRouteApi('/shell/releases');

/** What narrows and sorts the list. The search is used once it is sent by Enter, or cleared. */
export function ListTools({ search }: { readonly search: ReturnType<typeof route.useSearch> }) {
  const navigate = route.useNavigate();
  const find = (text: string): void =>
    void navigate({ search: (before) => ({ ...before, q: text.trim() || undefined, cursor: undefined }) });
  return (
    <Toolbar>
      <SearchInput
        key={search.q}
        label={m.search}
        placeholder={m.searchExample}
        defaultValue={search.q}
        maxLength={200}
        onKeyDown={(event) => event.key === 'Enter' && find(event.currentTarget.value)}
        onInput={(event) => event.currentTarget.value === '' && search.q && find('')}
      />
      <InlineSelect
        label={m.status}
        value={search.status ?? ''}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({
              ...before,
              status: target.value === 'archived' ? ('archived' as const) : undefined,
              cursor: undefined,
            }),
          })
        }
      >
        <option value="">{m.statuses.open}</option>
        <option value="archived">{m.statuses.archived}</option>
      </InlineSelect>
      <InlineSelect
        label={m.sortBy}
        value={search.sort ?? ''}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({
              ...before,
              sort: target.value === 'new' ? ('new' as const) : undefined,
              cursor: undefined,
            }),
          })
        }
      >
        <option value="">{m.sorts.newest}</option>
        <option value="new">{m.sorts.newIssues}</option>
      </InlineSelect>
    </Toolbar>
  );
}

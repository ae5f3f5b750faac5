import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as m from '../../messages/issues.ts';
import { lasting } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { healthQuery, outcomesQuery } from '../../features/intake/queries.ts';
import { listQuestion, type IssueListSearch } from '../../features/issues/list-question.ts';
import { issuesQuery, type IssueListPage } from '../../features/issues/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { tokensOf, withoutToken } from '../../features/search-box/tokens.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';
import * as empty from './empty.ts';

/** Why the list is empty: nothing was sent, nothing matches, or all is well. */
export function EmptyList({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const may = useMay('project:write');
  const { data: projects } = useQuery(projectsQuery(org));
  // Culprit's reports of itself need no setup.
  const shown = projects?.filter((project) =>
    search.project === undefined ? !project.isInternal : project.slug === search.project,
  );
  const waiting = shown?.find((project) => project.firstEvent === null);
  if (shown?.length === 0) return <Empty of={empty.noProject} mayAct={may} />;
  if (waiting && shown?.every((project) => project.firstEvent === null))
    return shown.some((project) => project.firstTransactionEvent) ? (
      <Empty of={empty.onlySpans} values={{ slug: waiting.slug }} />
    ) : (
      <Empty of={empty.nothingSent} values={{ project: waiting.name, slug: waiting.slug }} />
    );
  if (search.q || search.environment || search.cursor || search.range || search.start)
    return <NoMatch search={search} />;
  return <AllWell search={search} />;
}

interface Alternative {
  readonly key: string;
  /** In `aria-label`s. */
  readonly name: string;
  readonly shown: ReactNode;
  readonly search: IssueListSearch;
}

/** Each part of the search, and how it would be without it. */
function alternativesTo(search: IssueListSearch): readonly Alternative[] {
  const { tokens } = tokensOf(search.q ?? '', 'issues');
  const terms = tokens.filter(({ kind }) => kind === 'filter' || kind === 'text').slice(0, 6);
  const term = (text: string, without: IssueListSearch): Alternative => ({
    key: text,
    name: text,
    shown: <code>{text}</code>,
    search: without,
  });
  const status = search.status ?? 'unresolved';
  const environment = search.environment && m.environmentFilter({ name: search.environment });
  return [
    ...terms.map((each) =>
      term(each.text, { ...search, q: withoutToken(tokens, each) || undefined, cursor: undefined }),
    ),
    ...(environment
      ? [
          {
            key: 'environment',
            name: environment,
            shown: environment,
            search: chosen(search, { environment: undefined }),
          },
        ]
      : []),
    ...(search.range || search.start
      ? [{ key: 'time', name: m.timeFilter, shown: m.timeFilter, search: chosen(search, lasting()) }]
      : []),
    ...(status === 'all' ? [] : [term(`is:${status}`, { ...search, status: 'all', cursor: undefined })]),
  ];
}

function NoMatch({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const navigate = useNavigate({ from: '/issues' });
  const alternatives = alternativesTo(search);
  const counts = useQueries({
    queries: alternatives.map((each) => ({
      ...issuesQuery({ ...listQuestion(org, each.search), limit: 25 }),
      placeholderData: undefined,
    })),
  });
  const filters = (
    <Chips label={m.filters}>
      {alternatives.map(({ key, name, shown, search: without }, index) => (
        <span key={key}>
          <Chip
            removes
            aria-label={m.removeFilter({ filter: name })}
            onClick={() => void navigate({ search: without })}
          >
            {shown}
          </Chip>{' '}
          <Text tone="faint" small>
            {withoutIt(counts[index]?.data)}
          </Text>
        </span>
      ))}
    </Chips>
  );
  return search.q ? (
    <Empty of={empty.noMatchQuery} values={{ query: <code>{search.q}</code> }}>
      {filters}
    </Empty>
  ) : (
    <Empty of={empty.noMatch}>{filters}</Empty>
  );
}

/** Silence must differ from breakage, so this tells what was accepted and whether Culprit is healthy. */
function AllWell({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const { data: health } = useQuery(healthQuery);
  const { data: outcomes } = useQuery(outcomesQuery(org, { project: search.project, range: '24h' }));
  const accepted = outcomes?.groups
    .filter((group) => group.outcome === 'accepted' && group.category === 'error')
    .reduce((sum, group) => sum + group.total, 0);
  const outcome = (
    <>
      {accepted !== undefined && m.accepted({ count: accepted })}{' '}
      {health && (health.status === 'ok' ? m.healthy : m.unhealthy({ reasons: health.reasons.join(' ') }))}
    </>
  );
  return (
    <Empty
      of={health?.status === 'degraded' ? empty.degraded : empty.allWell}
      values={{ status: search.status ?? 'unresolved', outcome }}
    />
  );
}

/** The search is not valid; what is wrong with it is said below the box. */
export const RefusedList = () => <Empty of={empty.refused} />;

function withoutIt(page: IssueListPage | undefined): string {
  if (!page) return '';
  const count = exactNumber(page.hits ?? page.issues.length);
  return page.hits === undefined && page.next ? m.atLeastWithoutIt({ count }) : m.withoutIt({ count });
}

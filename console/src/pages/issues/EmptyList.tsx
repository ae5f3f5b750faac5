import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as m from '../../messages/issues.ts';
import { lasting } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { healthQuery, outcomesQuery } from '../../features/intake/queries.ts';
import { listQuestion, type IssueListSearch } from '../../features/issues/list-question.ts';
import { issuesQuery, type IssueListPage } from '../../features/issues/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { tokensOf, withoutToken } from '../../features/search-box/tokens.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { NotFoundIcon, OkIcon, WaitingIcon } from '../../ui/icons.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { EmptyState } from '../../ui/State.tsx';
import { Text } from '../../ui/Text.tsx';

/** Why the list is empty: nothing was sent, nothing matches, or all is well. */
export function EmptyList({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const { data: projects } = useQuery(projectsQuery(org));
  // Culprit's reports of itself need no setup.
  const shown = projects?.filter((project) =>
    search.project === undefined ? !project.isInternal : project.slug === search.project,
  );
  const waiting = shown?.find((project) => project.firstEvent === null);
  if (shown?.length === 0) return <NoProject />;
  if (waiting && shown?.every((project) => project.firstEvent === null))
    return shown.some((project) => project.firstTransactionEvent) ? (
      <OnlySpans slug={waiting.slug} />
    ) : (
      <NothingSent slug={waiting.slug} name={waiting.name} />
    );
  if (search.q || search.environment || search.cursor || search.range || search.start)
    return <NoMatch search={search} />;
  return <AllWell search={search} />;
}

function NoProject() {
  return (
    <EmptyState title={m.noProject}>
      <p>{m.noProjectHint}</p>
      <Link to="/projects/new" className={buttonClass('primary')}>
        {m.createProject}
      </Link>
    </EmptyState>
  );
}

function NothingSent({ slug, name }: { readonly slug: string; readonly name: string }) {
  return (
    <EmptyState title={m.nothingSent({ project: name })} icon={<WaitingIcon size={24} />}>
      <p>{m.nothingSentHint}</p>
      <Link to="/projects/$slug/setup" params={{ slug }} className={buttonClass('primary')}>
        {m.setup}
      </Link>
    </EmptyState>
  );
}

function OnlySpans({ slug }: { readonly slug: string }) {
  return (
    <EmptyState title={m.onlySpans} icon={<OkIcon size={24} />}>
      <p>{m.onlySpansHint}</p>
      <Link to="/projects/$slug/setup" params={{ slug }} className={buttonClass()}>
        {m.setupErrors}
      </Link>
    </EmptyState>
  );
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
  const { project, elsewhere } = search;
  const cleared = chosen({ project, elsewhere }, { environment: undefined, ...lasting() });
  const counts = useQueries({
    queries: alternatives.map((each) => ({
      ...issuesQuery({ ...listQuestion(org, each.search), limit: 25 }),
      placeholderData: undefined,
    })),
  });
  return (
    <EmptyState
      title={search.q ? m.noMatchQuery({ query: <code>{search.q}</code> }) : m.noMatch}
      icon={<NotFoundIcon size={24} />}
    >
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
      {alternatives.length > 1 && <Button onClick={() => void navigate({ search: cleared })}>{m.clearFilters}</Button>}
    </EmptyState>
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
  return (
    <EmptyState title={m.none[search.status ?? 'unresolved']} icon={<OkIcon size={24} />}>
      <p>
        {accepted !== undefined && m.accepted({ count: accepted })}{' '}
        {health && (health.status === 'ok' ? m.healthy : m.unhealthy({ reasons: health.reasons.join(' ') }))}
      </p>
      {health?.status === 'degraded' && (
        <Link to="/health" className={buttonClass()}>
          {m.openHealth}
        </Link>
      )}
    </EmptyState>
  );
}

function withoutIt(page: IssueListPage | undefined): string {
  if (!page) return '';
  const count = exactNumber(page.hits ?? page.issues.length);
  return page.hits === undefined && page.next ? m.atLeastWithoutIt({ count }) : m.withoutIt({ count });
}

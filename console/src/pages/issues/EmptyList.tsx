import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { NotFoundIcon, OkIcon, RemoveIcon, WaitingIcon } from '../../ui/icons.ts';
import { healthQuery, outcomesQuery } from '../../features/intake/queries.ts';
import { listQuestion, type IssueListSearch } from '../../features/issues/list-question.ts';
import { issuesQuery, type IssueListPage } from '../../features/issues/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { tokensOf, withoutToken } from '../../features/search-box/tokens.ts';
import { lasting } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { exactNumber, plural } from '../../ui/numbers.ts';
import { EmptyState } from '../../ui/State.tsx';
import styles from './EmptyList.module.css';

/** Why the list is empty: nothing sent yet, nothing matches, or all is well. */
export function EmptyList({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const { data: projects } = useQuery(projectsQuery(org));
  // Nobody waits for what Culprit reports of itself.
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
    <EmptyState title="No project yet">
      <p>A project is one application or service that sends its errors here.</p>
      <Link to="/projects/new" className={buttonClass('primary')}>
        Create a project
      </Link>
    </EmptyState>
  );
}

function NothingSent({ slug, name }: { readonly slug: string; readonly name: string }) {
  return (
    <EmptyState title={`Nothing has arrived from ${name} yet`} icon={<WaitingIcon size={24} />}>
      <p>Add the SDK with this project's DSN. This page updates automatically when the first error arrives.</p>
      <Link to="/projects/$slug/setup" params={{ slug }} className={buttonClass('primary')}>
        Show the set-up steps
      </Link>
    </EmptyState>
  );
}

function OnlySpans({ slug }: { readonly slug: string }) {
  return (
    <EmptyState title="No errors, and traces are arriving" icon={<OkIcon size={24} />}>
      <p>What sends here reports spans. Errors, and problems found in the traces, are listed here when they come.</p>
      <Link to="/projects/$slug/setup" params={{ slug }} className={buttonClass()}>
        How errors are reported
      </Link>
    </EmptyState>
  );
}

interface Alternative {
  readonly label: string;
  readonly search: IssueListSearch;
}

/** The filter, with every part removable, and how many would match without it. */
function NoMatch({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const navigate = useNavigate({ from: '/issues' });
  const { tokens } = tokensOf(search.q ?? '', 'issues');
  const terms = tokens.filter(({ kind }) => kind === 'filter' || kind === 'text').slice(0, 6);
  const alternatives: Alternative[] = [
    ...terms.map((term) => ({
      label: term.text,
      search: { ...search, q: withoutToken(tokens, term) || undefined, cursor: undefined },
    })),
    ...(search.environment
      ? [
          {
            label: `environment ${search.environment}`,
            search: chosen(search, { environment: undefined }),
          },
        ]
      : []),
    ...(search.range || search.start
      ? [
          {
            label: 'time range',
            search: chosen(search, lasting()),
          },
        ]
      : []),
    ...((search.status ?? 'unresolved') === 'all'
      ? []
      : [
          {
            label: `is:${search.status ?? 'unresolved'}`,
            search: { ...search, status: 'all' as const, cursor: undefined },
          },
        ]),
  ];
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
      title={
        search.q ? (
          <>
            No issue matches <code>{search.q}</code>
          </>
        ) : (
          'No issue matches these filters'
        )
      }
      icon={<NotFoundIcon size={24} />}
    >
      <ul className={styles.chips} aria-label="Filters">
        {alternatives.map((each, index) => (
          <li key={each.label}>
            <button
              type="button"
              className={styles.chip}
              onClick={() => void navigate({ search: each.search })}
              aria-label={`Remove ${each.label}`}
            >
              <code>{each.label}</code>
              <RemoveIcon size={12} />
            </button>
            <span className={styles.without}>{withoutIt(counts[index]?.data)}</span>
          </li>
        ))}
      </ul>
      {alternatives.length > 1 && <Button onClick={() => void navigate({ search: cleared })}>Clear all filters</Button>}
    </EmptyState>
  );
}

/** Silence must be told from breakage, so this says what was accepted and whether anything waits. */
function AllWell({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const { data: health } = useQuery(healthQuery);
  const { data: outcomes } = useQuery(outcomesQuery(org, { project: search.project, range: '24h' }));
  const accepted = outcomes?.groups
    .filter((group) => group.outcome === 'accepted' && group.category === 'error')
    .reduce((sum, group) => sum + group.total, 0);
  const status = search.status ?? 'unresolved';
  return (
    <EmptyState title={status === 'all' ? 'No issues' : `No ${status} issues`} icon={<OkIcon size={24} />}>
      <p>
        {accepted !== undefined && `${plural(accepted, 'event')} accepted in the last 24 hours. `}
        {health &&
          (health.status === 'ok'
            ? 'Culprit itself is well.'
            : `Culprit itself needs attention: ${health.reasons.join(' ')}`)}
      </p>
      {health?.status === 'degraded' && (
        <Link to="/health" className={buttonClass()}>
          Open health
        </Link>
      )}
    </EmptyState>
  );
}

function withoutIt(page: IssueListPage | undefined): string {
  if (!page) return '';
  return `${exactNumber(page.hits ?? page.issues.length)}${page.hits === undefined && page.next ? '+' : ''} without it`;
}

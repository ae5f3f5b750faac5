import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NotFoundIcon, RemoveIcon } from '../../ui/icons.ts';
import { dataSets } from '../../features/explore/data-sets.ts';
import type { Question } from '../../features/explore/question.ts';
import { fullCountQuery } from '../../features/explore/queries.ts';
import { exploreRange } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { removable } from '../../features/explore/terms.ts';
import { lasting, rangeLabel } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { plural } from '../../ui/numbers.ts';
import { EmptyState, Skeleton } from '../../ui/State.tsx';
import { exactly } from '../../features/explore/exactly.ts';
import styles from './ExplorePage.module.css';

const longest = '90d';

/** Why there is nothing: nothing was ever sent, nothing in this time, or nothing that fulfils the query. */
export function NothingFound({ search, question }: { readonly search: ExploreSearch; readonly question: Question }) {
  const org = useOrg();
  const { noun } = dataSets[question.dataSet];
  const { dataset, project } = search;
  const ever = useQuery(fullCountQuery(org, { dataset, project, range: longest }));
  const filters = [
    ...removable(question.query, question.dataSet).map(({ text, without }) => ({
      key: text,
      text,
      without: { ...search, cursor: undefined, query: without || undefined },
    })),
    ...(search.environment
      ? [
          {
            key: 'environment',
            text: `environment: ${search.environment}`,
            without: chosen(search, { environment: undefined }),
          },
        ]
      : []),
  ];
  const counts = useQueries({
    queries: filters.map(({ without }) => fullCountQuery(org, without)),
  });
  if (ever.isPending) return <Skeleton rows={3} height={36} label={`Looking for ${noun}s`} />;
  if (ever.data?.count === 0)
    return question.dataSet === 'errors' ? (
      <EmptyState title="No error has arrived yet" icon={<NotFoundIcon size={24} />}>
        <p>This page fills as soon as an application sends one.</p>
        <Link to="/projects" className={buttonClass('primary')}>
          Show the projects and their set-up
        </Link>
      </EmptyState>
    ) : (
      <NoSpans project={search.project} kind="span" />
    );
  const longer = (
    <Link
      from="/explore"
      to="."
      search={(before) => chosen(before, lasting(longest))}
      className={buttonClass(filters.length ? 'normal' : 'primary')}
    >
      Show the last 90 days
    </Link>
  );
  if (!filters.length)
    return (
      <EmptyState
        title={`No ${noun} in this time: ${rangeLabel(search, exploreRange)}`}
        icon={<NotFoundIcon size={24} />}
      >
        <p>There are earlier ones.</p>
        {longer}
      </EmptyState>
    );
  return (
    <EmptyState title={`No ${noun} matches`} icon={<NotFoundIcon size={24} />}>
      <ul className={styles.without} aria-label="Filters that find nothing">
        {filters.map(({ key, text, without }, index) => {
          const count = counts[index]?.data?.count;
          return (
            <li key={key}>
              <Link
                from="/explore"
                to="."
                search={without}
                className={styles.chip}
                activeOptions={exactly}
                aria-label={`Remove ${text}`}
              >
                <code>{text}</code>
                <RemoveIcon size={12} />
              </Link>
              <span>{count === undefined ? '' : `${plural(count, noun)} without it`}</span>
            </li>
          );
        })}
      </ul>
      {longer}
    </EmptyState>
  );
}

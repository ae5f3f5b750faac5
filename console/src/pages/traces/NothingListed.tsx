import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NotFoundIcon, RemoveIcon } from '../../ui/icons.ts';
import { lasting, rangeLabel } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { fieldsQuery, tracesQuery, tracesRange, type TraceFields } from '../../features/traces/queries.ts';
import type { TracesSearch } from '../../features/traces/search.ts';
import { spanWords } from '../../features/traces/times.ts';
import { chipsOf } from '../../features/traces/words.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { exactNumber, pluralForm } from '../../ui/numbers.ts';
import { EmptyState, Skeleton } from '../../ui/State.tsx';
import styles from './TracesPage.module.css';

const longest = '90d';

/** Why there is no row: nothing was ever sent, nothing in this time, or nothing that fulfils the filters. */
export function NothingListed({ search }: { readonly search: TracesSearch }) {
  const org = useOrg();
  const ever = useQuery(tracesQuery(org, { project: search.project, range: longest }, 1));
  const chips = [
    ...chipsOf(search, spanWords),
    ...(search.environment
      ? [
          {
            key: 'environment',
            label: 'environment',
            value: search.environment,
            without: chosen(search, { environment: undefined }),
          },
        ]
      : []),
  ];
  const counts = useQueries({
    queries: chips.map(({ without }) => ({ ...fieldsQuery(org, without, 1), placeholderData: undefined })),
  });
  if (ever.isPending) return <Skeleton rows={3} height={50} label="Looking for traces" />;
  if (ever.data?.traces.length === 0) return <NoSpans project={search.project} what="trace" />;
  if (!chips.length)
    return (
      <EmptyState title={`No trace in this time: ${rangeLabel(search, tracesRange)}`} icon={<NotFoundIcon size={24} />}>
        <p>There are earlier ones.</p>
        <Link
          from="/traces"
          to="."
          search={(before) => chosen(before, lasting(longest))}
          className={buttonClass('primary')}
        >
          Show the last 90 days
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState title="No trace matches" icon={<NotFoundIcon size={24} />}>
      <ul className={styles.without} aria-label="Filters that find nothing">
        {chips.map(({ key, label, value, without }, index) => (
          <li key={key}>
            <Link
              from="/traces"
              to="."
              search={() => without}
              className={styles.chip}
              aria-label={`Remove ${label} ${value}`}
            >
              <span>{label}</span>
              <code>{value}</code>
              <RemoveIcon size={12} />
            </Link>
            <span>{withoutIt(counts[index]?.data)}</span>
          </li>
        ))}
      </ul>
      {chips.length > 1 && (
        <Link
          from="/traces"
          to="."
          search={({ project, elsewhere }) => chosen({ project, elsewhere }, { environment: undefined, ...lasting() })}
          className={buttonClass()}
        >
          Clear all filters
        </Link>
      )}
    </EmptyState>
  );
}

const withoutIt = (fields: TraceFields | undefined): string =>
  fields
    ? `${exactNumber(fields.count)}${fields.whole ? '' : '+'} ${pluralForm(fields.count, 'request')} without it`
    : '';

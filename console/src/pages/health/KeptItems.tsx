import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { RemoveIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useState } from 'react';
import type { Filters } from '../../features/filters/filters.ts';
import { outcomeKinds } from '../../features/intake/outcome-rows.ts';
import { itemsQuery, type Health, type ItemFilter } from '../../features/intake/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { Button } from '../../ui/Button.tsx';
import { byteSize, exactNumber } from '../../ui/numbers.ts';
import { Card, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Table.module.css';

const ItemDialog = lazy(() => import('./ItemDialog.tsx').then((module) => ({ default: module.ItemDialog })));

/** Items kept as they came, with the payload of each: nothing that was sent disappears unseen. */
export function KeptItems({
  filters,
  filter,
  unknown,
}: {
  readonly filters: Filters;
  readonly filter: ItemFilter;
  readonly unknown: Health['unknownItemTypes'];
}) {
  const org = useOrg();
  const navigate = useNavigate({ from: '/health' });
  const items = useInfiniteQuery(itemsQuery(org, filters, filter));
  const [open, setOpen] = useState<string>();
  const rows = items.data?.pages.flatMap((page) => page.items) ?? [];
  const active = Object.entries(filter);
  return (
    <Section
      title="Unprocessed items"
      id="kept"
      note="Items of types that no page shows yet, unknown ones, and what could not be processed."
      actions={
        <InlineSelect
          label="Outcome"
          value={filter.outcome ?? ''}
          onChange={(event) => {
            const outcome = outcomeKinds.find((each) => each.kind === event.target.value)?.kind;
            void navigate({ search: (before) => ({ ...before, outcome }), resetScroll: false });
          }}
        >
          <option value="">All outcomes</option>
          {outcomeKinds.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.label}
            </option>
          ))}
        </InlineSelect>
      }
    >
      {(unknown.length > 0 || active.length > 0) && (
        <ul className={styles.chips} aria-label="Filter of the items">
          {active.map(([key, value]) => (
            <li key={key}>
              <Link
                from="/health"
                to="."
                search={(before) => ({ ...before, [key]: undefined })}
                className={styles.chip}
                aria-current="true"
                aria-label={`Remove ${key} ${value}`}
                resetScroll={false}
              >
                {key} <code>{value}</code> <RemoveIcon size={12} />
              </Link>
            </li>
          ))}
          {unknown
            .filter((each) => each.type !== filter.type)
            .map((each) => (
              <li key={each.type}>
                <Link
                  from="/health"
                  to="."
                  search={(before) => ({ ...before, type: each.type })}
                  className={styles.chip}
                  resetScroll={false}
                >
                  unknown type <code>{each.type}</code> {exactNumber(each.count)}
                </Link>
              </li>
            ))}
        </ul>
      )}
      {items.isPending ? (
        <Skeleton rows={4} height={36} label="Loading items" />
      ) : items.isError ? (
        <ErrorState error={items.error} retry={() => void items.refetch()} what="The items could not be loaded" />
      ) : rows.length === 0 ? (
        <p className={styles.none}>No unprocessed items.</p>
      ) : (
        <>
          <Card>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">Type</th>
                  <th scope="col">Outcome</th>
                  <th scope="col" className={styles.wide}>
                    Detail
                  </th>
                  <th scope="col" className={styles.wide}>
                    Project
                  </th>
                  <th scope="col" className={styles.number}>
                    Size
                  </th>
                  <th scope="col" className={styles.number}>
                    Received
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((item) => (
                  <tr key={item.id}>
                    <td>
                      <button type="button" className={styles.open} onClick={() => setOpen(item.id)}>
                        {item.type}
                      </button>
                    </td>
                    <td>
                      {item.outcome}
                      {item.reason && (
                        <>
                          {' '}
                          <code>{item.reason}</code>
                        </>
                      )}
                    </td>
                    <td className={styles.wide}>{item.detail || <span className={styles.faint}>–</span>}</td>
                    <td className={styles.wide}>{item.projectSlug}</td>
                    <td className={styles.number}>{byteSize(item.sizeBytes)}</td>
                    <td className={styles.number}>
                      <Time at={item.dateReceived} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
          {items.hasNextPage && (
            <div>
              <Button size="small" busy={items.isFetchingNextPage} onClick={() => void items.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </>
      )}
      <Suspense>{open && <ItemDialog id={open} onClose={() => setOpen(undefined)} />}</Suspense>
    </Section>
  );
}

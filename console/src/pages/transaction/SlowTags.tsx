import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { slowTagsQuery } from '../../features/performance/part-queries.ts';
import type { SlowTags as Found } from '../../features/performance/queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { liftWords, milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/transaction.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { percent } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';

/** What slow ones, or those of the picked durations, share that others do not. A click leaves those with the tag. */
export function SlowTags({ search }: { readonly search: TransactionSearch }) {
  const query = useQuery(slowTagsQuery(useOrg(), search));
  const isPicked = search.from !== undefined || search.until !== undefined;
  return (
    <Panel title={isPicked ? m.selectedTags : m.slowTags} id="tags" boxed={false}>
      <QueryView query={query} loading={m.loadingTags} failed={m.tagsFailed} rows={4} height={44}>
        {(found) => {
          const { slow, count, fromMs, tags } = found;
          return (
            <Stack gap={8}>
              <Text as="p" tone="faint" small>
                {isPicked ? m.selectedCount({ slow, count }) : m.slowCount({ slow, count, from: milliseconds(fromMs) })}
              </Text>
              {tags.length === 0 ? (
                <Nothing>{m.noTags}</Nothing>
              ) : (
                <DataList compact>
                  {tags.map((tag) => (
                    <TagRow key={`${tag.key} ${tag.value}`} tag={tag} found={found} />
                  ))}
                </DataList>
              )}
            </Stack>
          );
        }}
      </QueryView>
    </Panel>
  );
}

const filterBy = (key: string, value: string) =>
  key === 'release' || key === 'environment' ? { [key]: value } : { tag: `${key}:${value}` };

export function TagRow({
  tag: { key, value, lift, slow, count },
  found,
}: {
  readonly tag: Found['tags'][number];
  /** How many there are in all. */
  readonly found: Pick<Found, 'slow' | 'count'>;
}) {
  return (
    <DataRow
      title={
        <Link
          from="/performance/transaction"
          to="."
          resetScroll={false}
          activeOptions={{ exact: true }}
          search={(before) => ({ ...before, ...filterBy(key, value) })}
          className={rowLinkClass}
          translate="no"
        >
          <Text>{key}</Text> <code>{value}</code>
        </Link>
      }
      facts={<Facts>{m.tagShares({ slow: percent(slow, found.slow), all: percent(count, found.count) })}</Facts>}
      end={liftWords(lift)}
    />
  );
}

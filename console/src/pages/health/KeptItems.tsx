import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Filters } from '../../features/filters/filters.ts';
import { outcomeKinds } from '../../features/intake/outcome-rows.ts';
import { itemsQuery, type Health, type ItemFilter, type KeptItem } from '../../features/intake/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/health.ts';
import { Button } from '../../ui/Button.tsx';
import { ChipText, Chips, chipClass } from '../../ui/Chip.tsx';
import { Cell, DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { byteSize, exactNumber } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

const ItemDialog = lazily(async () => (await import('./ItemDialog.tsx')).ItemDialog);

/** Items kept as they came, with the payload of each: no item disappears without a trace. */
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
  return (
    <Section
      title={m.stored}
      id="kept"
      note={m.storedNote}
      actions={
        <InlineSelect
          label={m.outcome}
          value={filter.outcome ?? ''}
          onChange={(event) => {
            const outcome = outcomeKinds.find((each) => each.kind === event.target.value)?.kind;
            void navigate({ search: (before) => ({ ...before, outcome }), resetScroll: false });
          }}
        >
          <option value="">{m.allOutcomes}</option>
          {outcomeKinds.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.label}
            </option>
          ))}
        </InlineSelect>
      }
    >
      <ItemFilters filter={filter} unknown={unknown} />
      <QueryView
        query={items}
        loading={m.loadingItems}
        failed={m.itemsFailed}
        rows={4}
        height={36}
        isEmpty={() => rows.length === 0}
        empty={
          <Text as="p" tone="faint">
            {m.noItems}
          </Text>
        }
      >
        {() => (
          <Stack gap={12}>
            <DataTable
              label={m.stored}
              boxed
              dense
              head={
                <>
                  <HeadCell>{m.type}</HeadCell>
                  <HeadCell>{m.outcome}</HeadCell>
                  <HeadCell main hide="narrow">
                    {m.detail}
                  </HeadCell>
                  <HeadCell hide="narrow">{m.project}</HeadCell>
                  <HeadCell number>{m.size}</HeadCell>
                  <HeadCell number>{m.received}</HeadCell>
                </>
              }
            >
              {rows.map((item) => (
                <ItemRow key={item.id} item={item} onOpen={() => setOpen(item.id)} />
              ))}
            </DataTable>
            {items.hasNextPage && (
              <div>
                <Button size="small" busy={items.isFetchingNextPage} onClick={() => void items.fetchNextPage()}>
                  {m.showMore}
                </Button>
              </div>
            )}
          </Stack>
        )}
      </QueryView>
      {open && <ItemDialog id={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

const kindLabel = (kind: string): string => outcomeKinds.find((each) => each.kind === kind)?.label ?? kind;

/** What narrows the items, and unsupported types to narrow them by. */
function ItemFilters({
  filter,
  unknown,
}: {
  readonly filter: ItemFilter;
  readonly unknown: Health['unknownItemTypes'];
}) {
  const names = (['type', 'outcome', 'reason'] as const).filter((name) => filter[name]);
  const others = unknown.filter(({ type }) => type !== filter.type);
  if (names.length + others.length === 0) return null;
  return (
    <Chips label={m.filters}>
      {names.map((name) => {
        const value = (name === 'outcome' ? kindLabel(filter[name] ?? '') : filter[name]) ?? '';
        return (
          <Link
            key={name}
            from="/health"
            to="."
            search={(before) => ({ ...before, [name]: undefined })}
            className={chipClass}
            aria-label={m.removeFilter({ name: m.filterNames[name], value })}
            resetScroll={false}
          >
            <ChipText name={m.filterNames[name]} removes>
              <span translate="no">{value}</span>
            </ChipText>
          </Link>
        );
      })}
      {others.map(({ type, count }) => (
        <Link
          key={type}
          from="/health"
          to="."
          search={(before) => ({ ...before, type })}
          className={chipClass}
          resetScroll={false}
        >
          <ChipText name={m.unsupportedType}>
            <code>{type}</code> {exactNumber(count)}
          </ChipText>
        </Link>
      ))}
    </Chips>
  );
}

export function ItemRow({ item, onOpen }: { readonly item: KeptItem; readonly onOpen: () => void }) {
  return (
    <tr>
      <Cell>
        <button type="button" className={rowLinkClass} onClick={onOpen}>
          <code>{item.type}</code>
        </button>
      </Cell>
      <Cell>
        {kindLabel(item.outcome)} {item.reason && <code>{item.reason}</code>}
      </Cell>
      <Cell main hide="narrow">
        <span translate="no">{item.detail || '–'}</span>
      </Cell>
      <Cell hide="narrow">
        <span translate="no">{item.projectSlug}</span>
      </Cell>
      <Cell number>{byteSize(item.sizeBytes)}</Cell>
      <Cell number>
        <Time at={item.dateReceived} />
      </Cell>
    </tr>
  );
}

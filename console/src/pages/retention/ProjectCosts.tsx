import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { offerUndo } from '../../features/commands/undo.ts';
import { type Cost, projectCostsQuery, type ProjectCosts as Costs } from '../../features/costs/queries.ts';
import { changeFilter, type FilterChange, filtersQuery } from '../../features/inbound-filters/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/costs.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { exactNumber, percent } from '../../ui/numbers.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { estimateText, growthText, nameOr } from './words.ts';

const releaseFilter = 'release-version';
const shown = 5;

/** Of one project: what grew, and what issues, releases, SDKs and parts of errors take. */
export function ProjectCosts({ project }: { readonly project: string }) {
  const costs = useQuery(projectCostsQuery(useOrg(), project));
  const filterIn = useMay('project:write') ? project : undefined;
  return (
    <QueryView query={costs} loading={m.loading} failed={m.failed} rows={4} height={44}>
      {(found) => <Details costs={found} filterIn={filterIn} />}
    </QueryView>
  );
}

export function Details({
  costs,
  filterIn,
}: {
  readonly costs: Costs;
  /** The project whose releases may be filtered; undefined for who may not. */
  readonly filterIn: string | undefined;
}) {
  const { issues, releases, sdks, parts, growth, sampled, events, measuredAt } = costs;
  return (
    <Stack gap={16}>
      <Text as="p" small>
        {m.sampled({ sampled: exactNumber(sampled), events: exactNumber(events) })}{' '}
        {measuredAt !== null && <Time at={measuredAt} />}
      </Text>
      {growth.length > 0 && (
        <Stack gap={8}>
          {growth.slice(0, shown).map((one) => (
            <Text key={one.part} as="p" tone="warning">
              {growthText(one)}
            </Text>
          ))}
        </Stack>
      )}
      <Group title={m.issues} costs={issues} all={costs}>
        {(cost) => <span translate="no">{`${cost.shortId} ${cost.title}`}</span>}
      </Group>
      <Group title={m.releases} costs={releases} all={costs} filterIn={filterIn}>
        {(cost) => <span translate="no">{nameOr(cost.name, m.noRelease)}</span>}
      </Group>
      <Group title={m.sdks} costs={sdks} all={costs}>
        {(cost) => <span translate="no">{nameOr(cost.name, m.noSdk)}</span>}
      </Group>
      <Group title={m.parts} costs={parts} all={costs}>
        {(cost) => <span translate="no">{cost.name}</span>}
      </Group>
    </Stack>
  );
}

function Group<C extends Cost>({
  title,
  costs,
  all,
  filterIn,
  children,
}: {
  readonly title: string;
  readonly costs: readonly C[];
  readonly all: Pick<Costs, 'bytes'>;
  readonly filterIn?: string | undefined;
  readonly children: (cost: C) => ReactNode;
}) {
  if (costs.length === 0) return null;
  return (
    <div>
      <Text as="p">{title}</Text>
      <DataList label={title} compact>
        {costs.slice(0, shown).map((cost) => (
          <DataRow
            key={cost.name}
            title={children(cost)}
            facts={<Facts>{percent(cost.bytes, all.bytes)}</Facts>}
            end={estimateText(cost)}
            actions={filterIn !== undefined && cost.name !== '' && <Filter project={filterIn} cost={cost} />}
          />
        ))}
      </DataList>
    </div>
  );
}

/** Drops what comes of a release from now on; what is stored stays until it ages out. */
function Filter({ project, cost }: { readonly project: string; readonly cost: Cost }) {
  const org = useOrg();
  const queries = useQueryClient();
  const filters = useQuery(filtersQuery(org, project));
  const filter = filters.data?.find(({ id }) => id === releaseFilter);
  const save = useMutation({
    mutationFn: (body: FilterChange) => changeFilter(org, project, releaseFilter, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: filtersQuery(org, project).queryKey }),
  });
  if (!filter) return null;
  const patterns = filter.patterns ?? [];
  if (filter.active && patterns.includes(cost.name)) return <Text small>{m.filtered}</Text>;
  return (
    <>
      <Button
        size="small"
        variant="ghost"
        aria-label={m.filterOf({ release: cost.name })}
        onClick={() => {
          // Patterns of a filter that is off were not asked for.
          const kept = filter.active ? patterns : [];
          save.mutate(
            { active: true, patterns: [...kept, cost.name] },
            { onSuccess: () => offerUndo(m.filterOn, () => save.mutate({ active: filter.active, patterns })) },
          );
        }}
      >
        {m.filter}
      </Button>
      <FormError error={save.error} />
    </>
  );
}

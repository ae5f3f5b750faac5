import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Cost, projectCostsQuery, type ProjectCosts as Costs } from '../../features/costs/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/costs.ts';
import * as r from '../../messages/retention.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { byteSize, exactNumber, percent } from '../../ui/numbers.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { FilterSaving } from './saving/FilterSaving.tsx';
import { PolicySaving } from './saving/PolicySaving.tsx';
import { QuotaSaving } from './saving/QuotaSaving.tsx';
import { RuleSaving } from './saving/RuleSaving.tsx';
import { estimateText, growthText, nameOr } from './words.ts';

const shown = 5;

/** What somebody may change to save something. */
export interface Savings {
  readonly project: string;
  readonly filter: boolean;
  readonly rule: boolean;
  readonly quota: boolean;
  readonly policy: boolean;
}

/** Of one project: what grew, what takes most, and what would save it. */
export function ProjectCosts({ project }: { readonly project: string }) {
  const costs = useQuery(projectCostsQuery(useOrg(), project));
  const savings = {
    project,
    filter: useMay('project:write'),
    rule: useMay('project:write'),
    quota: useMay('org:write'),
    policy: useMay('project:admin'),
  };
  return (
    <QueryView query={costs} loading={m.loading} failed={m.failed} rows={4} height={44}>
      {(found) => <Details costs={found} savings={savings} />}
    </QueryView>
  );
}

export function Details({ costs, savings }: { readonly costs: Costs; readonly savings: Savings }) {
  const { issues, releases, sdks, parts, tables, growth, sampled, events, measuredAt } = costs;
  const { project } = savings;
  const releaseFilter = (release: string): ReactNode =>
    savings.filter &&
    release !== '' && <FilterSaving {...{ project, costs }} filter="release-version" of={release} name={release} />;
  const issueFilter = ({ shortId: name, title: of }: Costs['issues'][number]): ReactNode =>
    savings.filter && <FilterSaving {...{ project, costs, name, of }} filter="error-message" />;
  const attributeRule = (cost: Costs['tables'][number]['attributes'][number]): ReactNode =>
    savings.rule &&
    cost.selector !== null && (
      <RuleSaving {...{ project, name: cost.name, selector: cost.selector }} size={estimateText(cost)} />
    );
  return (
    <Stack gap={16}>
      <Text as="p" small>
        {m.sampled({ sampled: exactNumber(sampled), events: exactNumber(events) })}{' '}
        {measuredAt !== null && <Time at={measuredAt} />}
      </Text>
      {growth.length > 0 && (
        <Stack gap={8}>
          {growth.slice(0, shown).map((one, index) => (
            <Inline key={`${one.table} ${one.part}`} align="apart">
              <Text tone="warning">{growthText(one)}</Text>
              {growth.findIndex(({ release }) => release === one.release) === index && releaseFilter(one.release)}
            </Inline>
          ))}
        </Stack>
      )}
      <Classes costs={costs} savings={savings} />
      <Group title={m.issues} costs={issues} all={costs} actions={issueFilter}>
        {(cost) => <span translate="no">{`${cost.shortId} ${cost.title}`}</span>}
      </Group>
      <Group title={m.releases} costs={releases} all={costs} actions={({ name }) => releaseFilter(name)}>
        {(cost) => <span translate="no">{nameOr(cost.name, m.noRelease)}</span>}
      </Group>
      <Group title={m.sdks} costs={sdks} all={costs}>
        {(cost) => <span translate="no">{nameOr(cost.name, m.noSdk)}</span>}
      </Group>
      <Group title={m.parts} costs={parts} all={costs}>
        {(cost) => <span translate="no">{cost.name}</span>}
      </Group>
      {tables.map(({ table, attributes }) => (
        <Group key={table} title={m.attributes[table]} costs={attributes} all={costs} actions={attributeRule}>
          {(cost) => <span translate="no">{cost.name}</span>}
        </Group>
      ))}
    </Stack>
  );
}

/** What each class takes, with what bounds it. */
function Classes({ costs, savings: { project, quota, policy } }: { readonly costs: Costs; readonly savings: Savings }) {
  const classes = costs.classes.filter(({ bytes }) => bytes > 0).toSorted((a, b) => b.bytes - a.bytes);
  if (classes.length === 0) return null;
  return (
    <div>
      <Text as="p">{m.classes}</Text>
      <DataList label={m.classes} compact>
        {classes.map((cost) => (
          <DataRow
            key={cost.name}
            title={r.classes[cost.name]}
            facts={<Facts>{percent(cost.bytes, costs.bytes)}</Facts>}
            end={byteSize(cost.bytes)}
            actions={
              <>
                {quota && <QuotaSaving project={project} cost={cost} />}
                {policy && <PolicySaving project={project} name={cost.name} />}
              </>
            }
          />
        ))}
      </DataList>
    </div>
  );
}

function Group<C extends Cost>({
  title,
  costs,
  all,
  actions,
  children,
}: {
  readonly title: string;
  readonly costs: readonly C[];
  readonly all: Pick<Costs, 'bytes'>;
  readonly actions?: (cost: C) => ReactNode;
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
            actions={actions?.(cost)}
          />
        ))}
      </DataList>
    </div>
  );
}

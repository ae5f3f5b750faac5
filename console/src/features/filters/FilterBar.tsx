import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { TimeRangeIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import * as m from '../../messages/filters.ts';
import { Button } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { MenuButton, MenuList, menuStyles } from '../../ui/MenuList.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { useCommand } from '../commands/commands.ts';
import { withKey } from '../commands/shortcuts.ts';
import { environmentsQuery, type Project, projectsQuery } from '../projects/queries.ts';
import { useOrg } from '../session/organization.ts';
import styles from './FilterBar.module.css';
import { defaultRange, lasting, type Filters } from './filters.ts';
import { rangeLabel, ranges } from './range-words.ts';
import { chosen } from './travel.ts';

const OwnRange = lazily(async () => (await import('./OwnRange.tsx')).OwnRange);

/** Project, environment and time range: the same on every page, kept in the address. */
export function FilterBar({
  environment = true,
  project = true,
  range = true,
  fallbackRange = defaultRange,
}: {
  readonly environment?: boolean;
  readonly project?: boolean;
  /** Not where the page is about one time only. */
  readonly range?: boolean;
  readonly fallbackRange?: string;
}) {
  const org = useOrg();
  const filters = useSearch({ from: '/shell' });
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery({ ...projectsQuery(org), enabled: project });
  const { data: environments = [] } = useQuery({ ...environmentsQuery(org), enabled: environment });
  const change = (changes: Partial<Filters>): void =>
    void navigate({ to: '.', search: (before: Filters) => chosen(before, changes) });

  return (
    <>
      {project && (
        <InlineSelect
          label={m.project}
          value={filters.project ?? ''}
          onChange={(event) => change({ project: event.target.value || undefined })}
        >
          <option value="">{m.allProjects}</option>
          {filters.project && !projects.some((each) => each.slug === filters.project) && (
            <option value={filters.project} translate="no">
              {filters.project}
            </option>
          )}
          {projects.filter((each) => !each.isInternal).map(optionOf)}
          {projects.some((each) => each.isInternal) && (
            <optgroup label={m.thisInstallation}>{projects.filter((each) => each.isInternal).map(optionOf)}</optgroup>
          )}
        </InlineSelect>
      )}
      {environment && (
        <InlineSelect
          label={m.environment}
          value={filters.environment ?? ''}
          onChange={(event) => change({ environment: event.target.value || undefined })}
        >
          <option value="">{m.allEnvironments}</option>
          {filters.environment && !environments.some((each) => each.name === filters.environment) && (
            <option value={filters.environment} translate="no">
              {filters.environment}
            </option>
          )}
          {environments.map((each) => (
            <option key={each.id} value={each.name} translate="no">
              {each.name}
            </option>
          ))}
        </InlineSelect>
      )}
      {range && (
        <RangePicker
          filters={filters}
          fallback={fallbackRange}
          onChange={(time) => change({ ...lasting(), ...time })}
        />
      )}
    </>
  );
}

const optionOf = ({ id, slug, name }: Project) => (
  <option key={id} value={slug} translate="no">
    {name}
  </option>
);

function RangePicker({
  filters,
  fallback,
  onChange,
}: {
  readonly filters: Filters;
  readonly fallback: string;
  readonly onChange: (range: Pick<Filters, 'range' | 'start' | 'end'>) => void;
}) {
  const [opened, setOpened] = useState(0);
  useCommand('time-range', () => setOpened((count) => count + 1));
  const chosen = filters.start ? undefined : (filters.range ?? fallback);

  return (
    <Popover
      label={m.timeRange}
      align="end"
      openRequest={opened}
      renderTrigger={(props) => (
        <Button
          {...props}
          variant="ghost"
          icon={<TimeRangeIcon size={14} />}
          tip={withKey(m.timeRange, 'time-range')}
          className={styles.range}
        >
          {rangeLabel(filters, fallback)}
        </Button>
      )}
    >
      {(close) => (
        <>
          <MenuList label={m.timeRange}>
            {fallback === '' && (
              <MenuButton
                current={chosen === ''}
                onClick={() => {
                  onChange({});
                  close();
                }}
              >
                {m.anyTime}
              </MenuButton>
            )}
            {ranges.map((range) => (
              <MenuButton
                key={range.value}
                current={range.value === chosen}
                onClick={() => {
                  onChange({ range: range.value });
                  close();
                }}
              >
                {range.label}
              </MenuButton>
            ))}
          </MenuList>
          <div className={menuStyles.rule} />
          <OwnRange
            onChoose={(own) => {
              onChange(own);
              close();
            }}
          />
        </>
      )}
    </Popover>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AddIcon } from '../../ui/icons.ts';
import { useRef, useState } from 'react';
import { rulesQuery } from '../../features/alerts/queries.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { withKey } from '../../features/commands/shortcuts.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { Empty } from '../../features/places/Empty.tsx';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { Column, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';
import { none, noMatch } from './empty.ts';
import { RuleRow } from './RuleRow.tsx';
import { Suggestions } from './Suggestions.tsx';

/** From how many rules on they can be searched. */
const leastSearched = 6;

/** What notifies me: rules in one sentence each, those that fire first. */
export function AlertsPage() {
  const org = useOrg();
  const may = useMay('event:write');
  const { project } = useSearch({ from: '/shell' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const asked = rulesQuery(org, project);
  const list = useQuery(asked);
  const [text, setText] = useState('');
  const page = useRef<HTMLDivElement>(null);
  useRowKeys(page);
  useCommand('list.refresh', () => void list.refetch());
  useCommand('alerts.new', () => void navigate({ to: '/alerts/new' }), may);

  const rules = list.data ?? [];
  const isLong = rules.length >= leastSearched;
  useCommand('list.search', () => page.current?.querySelector('input')?.focus(), isLong);
  const words = text.trim().toLowerCase().split(/\s+/);
  const shown = rules.filter(({ name, sentence }) =>
    words.every((word) => `${name} ${sentence}`.toLowerCase().includes(word)),
  );
  const raised = rules.filter(({ state }) => state === 'critical' || state === 'warning').length;
  useTitle(raised > 0 && m.titleFiring({ count: raised }), m.title);

  return (
    <>
      <PageBar title={m.title}>
        <FilterBar environment={false} range={false} />
        {may && (
          <Link to="/alerts/new" className={buttonClass('primary')} data-tip={withKey(m.newRule, 'alerts.new')}>
            <AddIcon size={14} aria-hidden="true" /> {m.newRule}
          </Link>
        )}
      </PageBar>
      <div ref={page}>
        <QueryView
          query={list}
          loading={m.loadingRules}
          failed={m.rulesFailed}
          rows={5}
          height={64}
          cancel={() => void queries.cancelQueries(asked)}
        >
          {() => (
            <>
              {rules.length === 0 && <Empty of={none} />}
              {isLong && (
                <Toolbar>
                  <SearchInput
                    label={m.searchRules}
                    placeholder={m.searchRules}
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                  />
                </Toolbar>
              )}
              <Column wide="full">
                {shown.length > 0 && (
                  <DataList label={m.rules}>
                    {shown.map((rule) => (
                      <RuleRow key={rule.id} rule={rule} />
                    ))}
                  </DataList>
                )}
                {rules.length > 0 && shown.length === 0 && <Empty of={noMatch} onAct={() => setText('')} />}
                {may && <Suggestions project={project} taken={rules} />}
              </Column>
            </>
          )}
        </QueryView>
      </div>
    </>
  );
}

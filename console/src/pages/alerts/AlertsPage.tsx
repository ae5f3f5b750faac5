import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AddIcon } from '../../ui/icons.ts';
import { useRef, useState } from 'react';
import { rulesQuery } from '../../features/alerts/queries.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { withKey } from '../../features/commands/shortcuts.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import styles from './AlertsPage.module.css';
import { RuleRow } from './RuleRow.tsx';
import { Suggestions } from './Suggestions.tsx';

/** What will wake me: rules in one sentence each, those in alarm first. */
export function AlertsPage() {
  const org = useOrg();
  const { project } = useSearch({ from: '/shell' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const asked = rulesQuery(org, project);
  const list = useQuery(asked);
  const [text, setText] = useState('');
  const rows = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useRowKeys(rows);
  useCommand('list.refresh', () => void list.refetch());
  useCommand('alerts.new', () => void navigate({ to: '/alerts/new' }));

  const rules = list.data ?? [];
  const isLong = rules.length > 5;
  useCommand('list.search', () => field.current?.focus(), isLong);
  const words = text.trim().toLowerCase().split(/\s+/);
  const shown = rules.filter(({ name, sentence }) =>
    words.every((word) => `${name} ${sentence}`.toLowerCase().includes(word)),
  );
  const raised = rules.filter(({ state }) => state === 'critical' || state === 'warning').length;
  useTitle(raised > 0 && `${raised} raised`, 'Alerts');

  return (
    <>
      <PageBar title="Alerts">
        <FilterBar environment={false} range={false} />
        <Link to="/alerts/new" className={buttonClass('primary')} data-tip={withKey('New rule', 'alerts.new')}>
          <AddIcon size={14} aria-hidden="true" /> New rule
        </Link>
      </PageBar>
      <BusyBar busy={list.isFetching && list.data !== undefined} cancel={() => void queries.cancelQueries(asked)} />
      {list.isPending ? (
        <Skeleton rows={5} height={64} label="Loading rules" />
      ) : list.data === undefined ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The rules could not be loaded" />
      ) : (
        <div className={styles.page}>
          {rules.length === 0 ? (
            <EmptyState title="No alert rules yet">
              <p>
                A rule watches issues or a number and tells a channel. Before it is saved it says how often it would
                have fired.
              </p>
            </EmptyState>
          ) : (
            <>
              {isLong && (
                <input
                  ref={field}
                  type="search"
                  className={styles.search}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  placeholder="Words of a rule"
                  aria-label="Search rules"
                />
              )}
              <ul ref={rows} className={styles.rows} aria-label="Rules">
                {shown.map((rule) => (
                  <RuleRow key={rule.id} rule={rule} />
                ))}
              </ul>
              {shown.length === 0 && <p className={styles.none}>No rule has these words.</p>}
            </>
          )}
          <Suggestions project={project} taken={rules} />
        </div>
      )}
    </>
  );
}

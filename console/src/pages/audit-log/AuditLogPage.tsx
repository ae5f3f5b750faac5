import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { auditLogQuery, auditQuery, type AuditFilters } from '../../features/audit/queries.ts';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/audit.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { AuditFilterBar } from './AuditFilterBar.tsx';
import { AuditSettings } from './AuditSettings.tsx';
import { EntryRow } from './EntryRow.tsx';
import { noMatch, none } from './empty.ts';
import { ExportMenu } from './ExportMenu.tsx';

const route = getRouteApi('/shell/settings/audit-log');

/** Who did what to what, when and from where. */
export function AuditLogPage() {
  useTitle(m.title, m.settings);
  const org = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(auditQuery(org, search));
  const log = useQuery(auditLogQuery(org));
  const { cursor, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const show = (change: AuditFilters): void =>
    void navigate({ search: (before) => ({ ...before, ...change, cursor: undefined }), resetScroll: false });
  const clear = (): void => void navigate({ search: {} });
  return (
    <>
      <SettingsBar />
      <Column wide>
        <Section title={m.title} note={m.note} actions={<ExportMenu filters={filters} />}>
          <AuditFilterBar filters={filters} log={log.data} onChange={show} />
          <QueryView
            query={list}
            loading={m.loading}
            failed={m.failed}
            rows={8}
            height={44}
            isEmpty={({ entries }) => entries.length === 0}
            empty={isFiltered || cursor !== undefined ? <Empty of={noMatch} onAct={clear} /> : <Empty of={none} />}
          >
            {({ entries }) => (
              <DataTable
                label={m.title}
                stacked
                boxed
                busy={list.isPlaceholderData}
                head={
                  <>
                    <HeadCell main>{m.what}</HeadCell>
                    <HeadCell>{m.who}</HeadCell>
                    <HeadCell hide="medium">{m.from}</HeadCell>
                    <HeadCell>{m.when}</HeadCell>
                  </>
                }
              >
                {entries.map((entry) => (
                  <EntryRow key={entry.seq} entry={entry} onFilter={show} />
                ))}
              </DataTable>
            )}
          </QueryView>
          <PageLinks list="/settings/audit-log" cursors={list.data} cursor={cursor} />
        </Section>
        {log.data?.canChange && <AuditSettings log={log.data} />}
      </Column>
    </>
  );
}

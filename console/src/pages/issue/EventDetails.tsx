import { lazy, Suspense } from 'react';
import { Breadcrumbs } from '../../features/breadcrumbs/Breadcrumbs.tsx';
import { entryOf } from '../../features/event/entries.ts';
import { KeyValues, type KeyValue } from '../../features/event/KeyValues.tsx';
import { quantityOf } from '../../features/event/quantities.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import styles from './EventDetails.module.css';
import { Panel } from '../../ui/Panel.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import { TraceStrip } from './TraceStrip.tsx';
import { linked } from './ValueLink.tsx';

const GroupingSection = lazy(() =>
  import('./GroupingSection.tsx').then((module) => ({ default: module.GroupingSection })),
);

const AttachmentsOfEvent = lazy(() =>
  import('../../features/attachments/AttachmentsOfEvent.tsx').then((module) => ({
    default: module.AttachmentsOfEvent,
  })),
);

const rowsOf = (value: object | null | undefined): KeyValue[] =>
  Object.entries(value ?? {})
    .filter(([, each]) => each !== null && each !== undefined && each !== '')
    .map(([key, each]) => ({ key, value: each }));

/** What a search calls a field of the user. */
const userKey = (key: string): string | undefined =>
  ['id', 'email', 'username', 'ip_address'].includes(key) ? `user.${key}` : undefined;

/** Everything of the event that is read after the line itself. Sections without content are left out. */
export function EventDetails({ issue, event }: { readonly issue: IssueDetail; readonly event: Event }) {
  const org = useOrg();
  const crumbs = entryOf(event, 'breadcrumbs')?.values ?? [];
  const request = entryOf(event, 'request');
  const { data: userData, ...user } = event.user ?? { data: null };
  const userRows = [...rowsOf(user), ...rowsOf(userData)];
  const extra = rowsOf(event.context);
  const packages = rowsOf(event.packages);
  const contexts = Object.entries(event.contexts)
    .map(([name, value]) => ({ name, rows: rowsOf(value).filter((row) => row.key !== 'type') }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <>
      {event.traceId && issue.issueCategory !== 'performance' && (
        <TraceStrip key={event.eventID} event={event} trace={event.traceId} />
      )}
      {crumbs.length > 0 && (
        <Panel title="Breadcrumbs" id="breadcrumbs" count={crumbs.length} boxed={false}>
          <Breadcrumbs crumbs={crumbs} eventTime={Date.parse(event.dateCreated)} />
        </Panel>
      )}
      <Suspense>
        <AttachmentsOfEvent org={org} project={issue.project.slug} event={event.eventID} />
      </Suspense>
      {request && <RequestPanel request={request} />}
      {userRows.length > 0 && (
        <Panel title="User" id="user">
          <KeyValues label="User" rows={linked(userRows, userKey)} />
        </Panel>
      )}
      {event.tags.length > 0 && (
        <Panel title="Tags of this event" id="event-tags" count={event.tags.length}>
          <KeyValues label="Tags of this event" rows={linked(event.tags, (key) => key)} />
        </Panel>
      )}
      {contexts.length > 0 && (
        <Panel title="Contexts" id="contexts" boxed={false}>
          <div className={styles.contexts}>
            {contexts.map(({ name, rows }) => (
              <section key={name} className={styles.context} aria-label={name}>
                <h3>{name}</h3>
                <KeyValues
                  label={name}
                  rows={linked(
                    rows,
                    (key) => `contexts.${name}.${key}`,
                    (key, value) => quantityOf(name, key, value),
                  )}
                />
              </section>
            ))}
          </div>
        </Panel>
      )}
      {extra.length > 0 && (
        <Panel title="Additional data" id="extra">
          <KeyValues label="Additional data" rows={extra} />
        </Panel>
      )}
      <Suspense>
        <GroupingSection issue={issue} event={event} />
      </Suspense>
      {event.sdk && (
        <Panel title="SDK" id="sdk">
          <KeyValues label="SDK" rows={rowsOf(event.sdk)} />
        </Panel>
      )}
      {packages.length > 0 && (
        <Panel title="Packages" id="packages" count={packages.length}>
          <details className={styles.packages}>
            <summary>Show all</summary>
            <KeyValues label="Packages" rows={packages} />
          </details>
        </Panel>
      )}
    </>
  );
}

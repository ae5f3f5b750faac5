import { Breadcrumbs } from '../../features/breadcrumbs/Breadcrumbs.tsx';
import { entryOf } from '../../features/event/entries.ts';
import { KeyValues, type KeyValueRow } from '../../features/event/KeyValues.tsx';
import { quantityOf } from '../../features/event/quantities.ts';
import { marked, markedPairs, scrubLines } from '../../features/event/ScrubMark.tsx';
import { hasOwnMark, type Scrubbed, scrubbedOf } from '../../features/event/scrubbed.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-details.ts';
import * as s from '../../messages/scrubbed.ts';
import { Columns } from '../../ui/Layout.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './EventDetails.module.css';
import { Part } from './Part.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import { TraceStrip } from './TraceStrip.tsx';
import { linked } from './ValueLink.tsx';

const Threads = lazily(async () => (await import('../../features/stacktrace/Threads.tsx')).Threads);
const GroupingSection = lazily(async () => (await import('./GroupingSection.tsx')).GroupingSection);
const AttachmentsOfEvent = lazily(
  async () => (await import('../../features/attachments/AttachmentsOfEvent.tsx')).AttachmentsOfEvent,
);

const rowsOf = (value: object | null | undefined): KeyValueRow[] =>
  Object.entries(value ?? {})
    .filter(([, each]) => each !== null && each !== undefined && each !== '')
    .map(([key, each]) => ({ key, value: each }));

/** Flags in the order in which they were evaluated; none where the context holds something else. */
function flagsOf(context: Readonly<Record<string, unknown>> | undefined): KeyValueRow[] {
  const values: unknown = context?.['values'];
  if (!Array.isArray(values)) return [];
  const rows = values.map((each: unknown) => {
    const { flag, result } = (typeof each === 'object' && each !== null ? each : {}) as Readonly<
      Record<string, unknown>
    >;
    return typeof flag === 'string' ? [{ key: flag, value: result }] : [];
  });
  return rows.every((row) => row.length > 0) ? rows.flat() : [];
}

/** What a search calls a field of the user. */
const userKey = (key: string): string | undefined =>
  ['id', 'email', 'username', 'ip_address'].includes(key) ? `user.${key}` : undefined;

/** Everything of the event that is read after the line itself. Sections without content are left out. */
export function EventDetails({ issue, event }: { readonly issue: IssueDetail; readonly event: Event }) {
  const org = useOrg();
  const crumbs = entryOf(event, 'breadcrumbs')?.values ?? [];
  const threads = entryOf(event, 'threads')?.values ?? [];
  // A single thread whose stack is the one above says nothing more.
  const hasThreads = threads.length > 1 || threads.some((thread) => thread.name);
  const request = entryOf(event, 'request');
  const { _meta: meta } = event;
  const scrubbed = scrubbedOf(meta);
  // Data of the user stand among the fields of the user.
  const inPlace = scrubbed.map((one) =>
    one.path[0] === 'user' && one.path[1] === 'data' ? { ...one, path: ['user', ...one.path.slice(2)] } : one,
  );
  const project = issue.project.slug;
  const mark = (rows: readonly KeyValueRow[], ...at: readonly string[]) => marked(rows, inPlace, at, project);
  const { data: userData, ...user } = event.user ?? { data: null };
  const userRows = [...rowsOf(user), ...rowsOf(userData)];
  const shownUser = mark(linked(userRows, userKey), 'user');
  const extra = mark(rowsOf(event.context), 'extra');
  const packages = rowsOf(event.packages);
  const { flags, ...otherContexts } = event.contexts;
  const evaluated = flagsOf(flags);
  const contexts = Object.entries(evaluated.length > 0 ? otherContexts : event.contexts)
    .map(([name, value]) => {
      const rows = rowsOf(value).filter((row) => row.key !== 'type');
      const links = linked(
        rows,
        (key) => `contexts.${name}.${key}`,
        (key, of) => quantityOf(name, key, of),
      );
      return { name, rows: mark(links, 'contexts', name) };
    })
    .filter(({ rows }) => rows.length > 0);
  return (
    <>
      {event.traceId && issue.issueCategory !== 'performance' && (
        <TraceStrip key={event.eventID} event={event} trace={event.traceId} />
      )}
      {hasThreads && <Threads key={`${event.eventID} threads`} threads={threads} platform={event.platform} />}
      {crumbs.length > 0 && (
        <Panel title={m.breadcrumbs} id="breadcrumbs" count={crumbs.length} boxed={false}>
          <Breadcrumbs
            crumbs={crumbs}
            eventTime={Date.parse(event.dateCreated)}
            scrubbed={scrubbed}
            project={project}
          />
        </Panel>
      )}
      <AttachmentsOfEvent org={org} project={issue.project.slug} event={event.eventID} />
      {request && <RequestPanel request={request} scrubbed={scrubbed} project={project} />}
      <Elsewhere scrubbed={scrubbed.filter(({ path }) => !hasOwnMark(path, event))} project={project} />
      {shownUser.length > 0 && (
        <Panel title={m.user} id="user">
          <KeyValues label={m.user} rows={shownUser} />
        </Panel>
      )}
      {event.tags.length > 0 && (
        <Panel title={m.eventTags} id="event-tags" count={event.tags.length}>
          <KeyValues
            label={m.eventTags}
            rows={markedPairs(
              linked(event.tags, (key) => key),
              scrubbed,
              ['tags'],
              project,
            )}
          />
        </Panel>
      )}
      {evaluated.length > 0 && (
        <Panel title={m.flags} id="flags" count={evaluated.length} tools={<Note text={m.flagsNote} />}>
          <KeyValues label={m.flags} rows={linked(evaluated, (flag) => `flags[${JSON.stringify(flag)}]`)} />
        </Panel>
      )}
      {contexts.length > 0 && (
        <Panel title={m.contexts} id="contexts" boxed={false}>
          <Columns min={340} gap={12}>
            {contexts.map(({ name, rows }) => (
              <Part key={name} title={name} boxed data>
                <KeyValues label={name} rows={rows} />
              </Part>
            ))}
          </Columns>
        </Panel>
      )}
      {extra.length > 0 && (
        <Panel title={m.extra} id="extra">
          <KeyValues label={m.extra} rows={extra} />
        </Panel>
      )}
      <GroupingSection issue={issue} event={event} />
      {event.sdk && (
        <Panel title={m.sdk} id="sdk">
          <KeyValues label={m.sdk} rows={rowsOf(event.sdk)} />
        </Panel>
      )}
      {packages.length > 0 && (
        <Panel title={m.packages} id="packages" count={packages.length}>
          <details className={styles.packages}>
            <summary>{m.showPackages}</summary>
            <KeyValues label={m.packages} rows={packages} />
          </details>
        </Panel>
      )}
    </>
  );
}

/** What scrubbing changed in places that have no mark of their own. */
function Elsewhere({ scrubbed, project }: { readonly scrubbed: readonly Scrubbed[]; readonly project: string }) {
  if (scrubbed.length === 0) return null;
  return (
    <Panel title={s.title} id="scrubbed" count={scrubbed.length} tools={<Note text={s.note} />}>
      <KeyValues
        label={s.title}
        rows={scrubbed.map(({ path, by }) => ({
          key: path.join('.'),
          value: by.length,
          shown: scrubLines([{ path: [], by }], project).join('; '),
        }))}
      />
    </Panel>
  );
}

const Note = ({ text }: { readonly text: string }) => (
  <Text tone="faint" small>
    {text}
  </Text>
);

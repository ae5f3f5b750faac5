import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOrg } from '../session/organization.ts';
import { withKey } from '../commands/shortcuts.ts';
import * as m from '../../messages/waterfall.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { duration } from '../../ui/durations.ts';
import { FocusIcon } from '../../ui/icons.ts';
import { Stat, Stats } from '../../ui/KeyValue.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Level } from '../../ui/Level.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { localTime, utcTime } from '../../ui/relative-time.ts';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { Text } from '../../ui/Text.tsx';
import { Attributes } from './Attributes.tsx';
import { ancestorsOf, type IndexedTrace } from './index-trace.ts';
import { nameOf } from './ops.ts';
import { traceSpanQuery, type WaterfallRow } from './queries.ts';
import { SpanFacts } from './SpanFacts.tsx';
import { SpanLinks } from './SpanLinks.tsx';
import { SpanSwatch } from './SpanSwatch.tsx';
import { gapWords, remarksOf } from './words.ts';
import styles from './SpanPanel.module.css';

const maxShown = 20;

/** All that is known of a span; another `key` for another span. */
export function SpanPanel({
  index,
  row: at,
  narrow,
  onClose,
  onFocus,
  onShow,
}: {
  readonly index: IndexedTrace;
  readonly row: number;
  /** It lies over the rows, and takes the focus. */
  readonly narrow: boolean;
  readonly onClose: () => void;
  readonly onFocus: () => void;
  /** Goes to another row. */
  readonly onShow: (row: number) => void;
}) {
  const org = useOrg();
  const { trace, rows } = index;
  const row = rows[at];
  const sentAt = Math.floor((trace.startUs + (row?.offsetUs ?? 0) - (row?.shiftUs ?? 0)) / 1_000_000);
  const span = useQuery(traceSpanQuery(org, trace.traceId, row?.projectId ?? '', row?.id ?? '', sentAt));
  if (!row) return null;
  const name = nameOf(row);
  return (
    <SidePanel
      label={m.panel({ name })}
      title={
        <>
          <SpanSwatch op={row.op} />
          <span className={styles.title} translate="no">
            {row.op && row.op !== row.name && <span className={styles.op}>{row.op} </span>}
            {name}
          </span>
        </>
      }
      close={m.closePanel}
      closeTip={withKey(m.closePanel, 'trace.back')}
      focused={narrow}
      onClose={onClose}
    >
      <div className={styles.body}>
        <Inline>
          <CopyButton label={m.copyLink} text={() => location.href}>
            {m.link}
          </CopyButton>
          <CopyButton label={m.copyJson} disabled={!span.data} text={() => JSON.stringify(span.data, null, 2)}>
            {m.json}
          </CopyButton>
          {row.below > 0 && (
            <Button size="small" icon={<FocusIcon size={14} />} tip="f" onClick={onFocus}>
              {m.onlySubtree}
            </Button>
          )}
        </Inline>
        <Times row={row} startMs={(trace.startUs + row.offsetUs) / 1000} />
        <Remarks index={index} at={at} row={row} />
        <SpanIssues index={index} at={at} row={row} />
        <QueryView query={span} loading={m.loading} failed={m.failed} rows={6} height={28}>
          {(found) => (
            <>
              <SpanFacts
                span={found}
                project={trace.projects.find(({ id }) => id === row.projectId)?.slug}
                segmentOp={[at, ...ancestorsOf(index, at)].map((each) => rows[each]).find((each) => each?.segment)?.op}
              />
              <SpanLinks index={index} span={found} shiftUs={row.shiftUs ?? 0} onShow={onShow} />
              <Attributes key={found.id} texts={found.attributes} numbers={found.numbers} />
            </>
          )}
        </QueryView>
      </div>
    </SidePanel>
  );
}

function Times({ row, startMs }: { readonly row: WaterfallRow; readonly startMs: number }) {
  return (
    <Stats>
      <Stat name={m.duration}>{duration(row.durationUs)}</Stat>
      <Stat name={m.selfTime}>
        <span data-tip={m.selfTimeTip}>{duration(row.selfUs)}</span>
      </Stat>
      <Stat name={m.started}>
        <span data-tip={`${localTime(startMs)}\n${utcTime(startMs)}`}>+{duration(row.offsetUs)}</span>
      </Stat>
    </Stats>
  );
}

interface OfRow {
  readonly index: IndexedTrace;
  readonly at: number;
  readonly row: WaterfallRow;
}

/** What is odd about it, and where its time is covered by no child. */
function Remarks({ index, at, row }: OfRow) {
  const remarks = remarksOf(index, row);
  const gaps = index.gaps.get(at) ?? [];
  if (!remarks.length && !gaps.length) return null;
  return (
    <Notice tone="warning">
      <ul className={styles.remarks} aria-label={m.remarks}>
        {remarks.map(({ kind, text }) => (
          <li key={kind}>{text}</li>
        ))}
        {gaps.slice(0, maxShown).map((gap) => (
          <li key={gap.offsetUs}>{gapWords(index, at, gap)}</li>
        ))}
      </ul>
    </Notice>
  );
}

interface ListedIssue {
  readonly key: string;
  readonly level: string;
  readonly title: string;
  readonly shortId: string | null;
  readonly eventId: string;
  readonly end: ReactNode;
}

function SpanIssues({ index, at, row }: OfRow) {
  const { errors, problems } = index.trace;
  const listed: ListedIssue[] = [
    ...(row.errors ?? [])
      .flatMap((each) => errors[each] ?? [])
      .slice(0, maxShown)
      .map((error) => ({ ...error, key: error.eventId, end: `+${duration(error.offsetUs)}` })),
    ...(index.evidence.get(at) ?? []).slice(0, maxShown).flatMap(({ problem, role }) => {
      const found = problems[problem];
      return found
        ? [{ ...found, level: 'warning', key: `${found.eventId} ${role}`, end: role === 'cause' && m.cause }]
        : [];
    }),
  ];
  if (!listed.length) return null;
  return (
    <DataList open compact label={m.issues}>
      {listed.map(({ key, level, title, shortId, eventId, end }) => (
        <DataRow
          key={key}
          lead={<Level level={level} />}
          title={
            shortId ? (
              <Link to="/issues/$issue" params={{ issue: shortId }} search={{ event: eventId }} translate="no">
                {title || shortId}
              </Link>
            ) : (
              <span translate="no">{title}</span>
            )
          }
          end={
            <>
              {shortId && (
                <Text tone="faint">
                  <span translate="no">{shortId}</span>
                </Text>
              )}
              {end}
            </>
          }
        />
      ))}
    </DataList>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CloseIcon, FocusIcon } from '../../ui/icons.ts';
import { useEffect, useRef } from 'react';
import { useOrg } from '../session/organization.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { duration } from '../../ui/durations.ts';
import { Level } from '../../ui/Level.tsx';
import { localTime, utcTime } from '../../ui/relative-time.ts';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Attributes } from './Attributes.tsx';
import { ancestorsOf, type IndexedTrace } from './index-trace.ts';
import { categoryOf, nameOf, tokenOf } from './ops.ts';
import { traceSpanQuery } from './queries.ts';
import { SpanFacts } from './SpanFacts.tsx';
import { SpanLinks } from './SpanLinks.tsx';
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
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (narrow) panel.current?.focus();
  }, [narrow]);
  if (!row) return null;
  const name = nameOf(row);
  const startMs = (trace.startUs + row.offsetUs) / 1000;
  const remarks = remarksOf(index, row);
  const gaps = index.gaps.get(at) ?? [];
  const errors = (row.errors ?? []).flatMap((each) => trace.errors[each] ?? []);
  const problems = (index.evidence.get(at) ?? []).flatMap(({ problem, role }) => {
    const found = trace.problems[problem];
    return found ? [{ ...found, role }] : [];
  });
  return (
    <aside ref={panel} className={styles.panel} aria-label={`Span ${name}`} tabIndex={-1}>
      <header className={styles.head}>
        <i className={styles.swatch} style={{ '--bar': `var(${tokenOf(categoryOf(row.op))})` }} aria-hidden="true" />
        <h2 className={styles.title}>
          {row.op && row.op !== row.name && <span className={styles.op}>{row.op}</span>}
          <span>{name}</span>
        </h2>
        <IconButton
          size="small"
          label="Close details  Esc"
          aria-label="Close details"
          icon={<CloseIcon size={16} />}
          onClick={onClose}
        />
      </header>
      <div className={styles.tools}>
        <CopyButton label="Copy link to this span" text={() => location.href}>
          Link
        </CopyButton>
        <CopyButton label="Copy the span as JSON" disabled={!span.data} text={() => JSON.stringify(span.data, null, 2)}>
          JSON
        </CopyButton>
        {row.below > 0 && (
          <Button size="small" icon={<FocusIcon size={14} />} tip="f" onClick={onFocus}>
            Only this subtree
          </Button>
        )}
      </div>
      <dl className={styles.times}>
        <div>
          <dt>Duration</dt>
          <dd>{duration(row.durationUs)}</dd>
        </div>
        <div>
          <dt>Self time</dt>
          <dd data-tip="Time not spent in child spans">{duration(row.selfUs)}</dd>
        </div>
        <div>
          <dt>Start</dt>
          <dd data-tip={`${localTime(startMs)}\n${utcTime(startMs)}`}>+{duration(row.offsetUs)}</dd>
        </div>
      </dl>
      {(remarks.length > 0 || gaps.length > 0) && (
        <ul className={styles.remarks} aria-label="Remarks">
          {remarks.map(({ kind, text }) => (
            <li key={kind}>{text}</li>
          ))}
          {gaps.slice(0, maxShown).map((gap) => (
            <li key={gap.offsetUs}>{gapWords(index, at, gap)}</li>
          ))}
        </ul>
      )}
      {(errors.length > 0 || problems.length > 0) && (
        <ul className={styles.issues} aria-label="Issues">
          {errors.slice(0, maxShown).map((error) => (
            <li key={error.eventId}>
              <Level level={error.level} />
              {error.shortId ? (
                <Link to="/issues/$issue" params={{ issue: error.shortId }} search={{ event: error.eventId }}>
                  {error.title || error.shortId}
                </Link>
              ) : (
                <span>{error.title}</span>
              )}
              <span className={styles.faint}>
                {error.shortId} · +{duration(error.offsetUs)}
              </span>
            </li>
          ))}
          {problems.slice(0, maxShown).map((problem) => (
            <li key={`${problem.eventId} ${problem.role}`}>
              <Level level="warning" />
              {problem.shortId ? (
                <Link to="/issues/$issue" params={{ issue: problem.shortId }} search={{ event: problem.eventId }}>
                  {problem.title}
                </Link>
              ) : (
                <span>{problem.title}</span>
              )}
              <span className={styles.faint}>{problem.role === 'cause' ? 'led to it' : problem.shortId}</span>
            </li>
          ))}
        </ul>
      )}
      {span.isPending ? (
        <Skeleton rows={6} height={28} label="Loading span" />
      ) : span.data ? (
        <>
          <SpanFacts
            span={span.data}
            project={trace.projects.find(({ id }) => id === row.projectId)?.slug}
            segmentOp={[at, ...ancestorsOf(index, at)].map((each) => rows[each]).find((each) => each?.segment)?.op}
          />
          <SpanLinks index={index} span={span.data} shiftUs={row.shiftUs ?? 0} onShow={onShow} />
          <Attributes key={span.data.id} texts={span.data.attributes} numbers={span.data.numbers} />
        </>
      ) : (
        <ErrorState error={span.error} retry={() => void span.refetch()} what="The span could not be loaded" />
      )}
    </aside>
  );
}

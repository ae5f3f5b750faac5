import {
  ClockSkewIcon,
  CycleIcon,
  DuplicatesIcon,
  FoldedIcon,
  LateIcon,
  OrphanIcon,
  UnfoldedIcon,
} from '../../ui/icons.ts';
import { memo, type ReactNode } from 'react';
import * as m from '../../messages/waterfall.ts';
import { cx } from '../../ui/cx.ts';
import { duration } from '../../ui/durations.ts';
import { Level } from '../../ui/Level.tsx';
import { compactNumber, exactNumber, withUnit } from '../../ui/numbers.ts';
import { Bars } from './Bars.tsx';
import type { IndexedTrace } from './index-trace.ts';
import { nameOf } from './ops.ts';
import { problemWord } from './problem-words.ts';
import type { VisibleRow } from './rows.ts';
import type { TimeWindow } from './scale.ts';
import { SpanSwatch } from './SpanSwatch.tsx';
import { type RemarkKind, remarksOf, senderOf } from './words.ts';
import styles from './Waterfall.module.css';

/** Deeper rows say their depth in place of more room to the left. */
const deepestIndent = 14;

const icons: Readonly<Record<RemarkKind, ReactNode>> = {
  clock: <ClockSkewIcon size={12} />,
  orphan: <OrphanIcon size={12} />,
  cycle: <CycleIcon size={12} />,
  late: <LateIcon size={12} />,
  duplicates: <DuplicatesIcon size={12} />,
};

export interface RowProps {
  readonly index: IndexedTrace;
  readonly visible: VisibleRow;
  /** Its place among what is visible. */
  readonly at: number;
  /** px from the top of the list. */
  readonly top: number;
  readonly window: TimeWindow;
  /** Takes part in tabbing. */
  readonly active: boolean;
  /** Its details are open. */
  readonly selected: boolean;
  readonly dim: boolean;
  readonly hit: boolean;
  /** It came while the page was open. */
  readonly fresh: boolean;
  readonly showCritical: boolean;
  /** Of the problem that the page was opened for. */
  readonly marked: 'offender' | 'cause' | undefined;
}

export const Row = memo(function Row(props: RowProps) {
  const { index, visible, at, top, window, showCritical, active, selected } = props;
  const row = index.rows[visible.row];
  if (!row) return null;
  return (
    <div
      role="row"
      data-at={at}
      data-key={visible.key}
      tabIndex={active ? 0 : -1}
      aria-rowindex={at + 2}
      aria-level={visible.level}
      aria-posinset={visible.position}
      aria-setsize={visible.siblings}
      aria-expanded={visible.expanded}
      aria-selected={selected}
      className={cx(
        styles.line,
        selected && styles.selected,
        props.dim && styles.dim,
        props.hit && styles.hit,
        props.fresh && styles.fresh,
        props.marked && styles[props.marked],
      )}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className={styles.name}>
        <Name index={index} visible={visible} marked={props.marked} />
      </div>
      <div role="gridcell" className={styles.duration}>
        <Duration index={index} visible={visible} />
      </div>
      <div role="gridcell" className={styles.timeline}>
        <span className="visually-hidden">{spokenTime(index, visible)}</span>
        <Bars index={index} visible={visible} window={window} showCritical={showCritical} />
      </div>
    </div>
  );
});

function Name({ index, visible, marked }: Pick<RowProps, 'index' | 'visible' | 'marked'>) {
  const row = index.rows[visible.row];
  if (!row) return null;
  const { run, level, expanded } = visible;
  const hidden = run && !expanded ? run : expanded === false ? row.below : 0;
  const indent = { '--indent': Math.min(level - 1, deepestIndent) };
  const remarks = run ? [] : remarksOf(index, row);
  const evidence = run ? [] : (index.evidence.get(visible.row) ?? []);
  const sender = senderOf(index.trace, row);
  const above = index.rows[row.parent];
  const changes = !above || above.service !== row.service || above.projectId !== row.projectId;
  return (
    <>
      <span className={styles.indent} style={indent} aria-hidden="true">
        {level - 1 > deepestIndent && <span className={styles.depth}>{compactNumber(level)}</span>}
      </span>
      {expanded === undefined ? (
        <span className={styles.leaf} />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className={styles.toggle}
          data-toggle
          aria-label={expanded ? m.collapse : m.expand({ count: hidden })}
        >
          {expanded ? <UnfoldedIcon size={14} /> : <FoldedIcon size={14} />}
        </button>
      )}
      <SpanSwatch op={row.op} />
      {run > 0 && <strong className={styles.times}>{withUnit(exactNumber(run), '×')}</strong>}
      {changes && !run && (
        <span className={styles.service} translate="no">
          {sender}
        </span>
      )}
      {!changes && (
        <span className="visually-hidden" translate="no">
          {sender}
        </span>
      )}
      {row.op && row.op !== row.name && (
        <span className={styles.op} translate="no">
          {row.op}
        </span>
      )}
      <span className={styles.text} translate="no">
        {nameOf(row)}
      </span>
      {row.failed && !run && (
        <span className={styles.failed} translate="no">
          <Level level="error" /> {row.status}
        </span>
      )}
      {remarks.map(({ kind, text }) => (
        <span key={kind} className={styles.remark} data-tip={text}>
          {icons[kind]}
          <span className="visually-hidden">{text}</span>
        </span>
      ))}
      {evidence.slice(0, 3).map(({ problem, role }) => (
        <span
          key={`${problem} ${role}`}
          className={cx(styles.evidence, marked === role && styles.evidenceMarked)}
          data-tip={index.trace.problems[problem]?.title}
          translate="no"
        >
          {evidenceWords(role, index.trace.problems[problem]?.type)}
        </span>
      ))}
      {hidden > 0 && !run && <span className={styles.below}>+{compactNumber(hidden)}</span>}
    </>
  );
}

const evidenceWords = (role: 'cause' | 'offender', type = ''): string =>
  role === 'cause' ? m.causeOf({ problem: problemWord(type) }) : problemWord(type);

function Duration({ index, visible }: Pick<RowProps, 'index' | 'visible'>) {
  const row = index.rows[visible.row];
  if (!row) return null;
  if (!visible.run) return duration(row.durationUs);
  const total = duration(sumOf(index, visible));
  return <span data-tip={m.runTotal({ count: visible.run, total })}>Σ {total}</span>;
}

const sumOf = ({ rows }: IndexedTrace, { row, run }: VisibleRow): number =>
  rows.slice(row, row + run).reduce((sum, each) => sum + each.durationUs, 0);

/** What the bar shows, for who does not see it. */
function spokenTime(index: IndexedTrace, visible: VisibleRow): string {
  const row = index.rows[visible.row];
  if (!row) return '';
  const start = duration(row.offsetUs);
  if (visible.run) return m.runSpoken({ count: visible.run, start, total: duration(sumOf(index, visible)) });
  const words = [m.spoken({ start, duration: duration(row.durationUs) })];
  if (row.critical) words.push(m.onCriticalPath);
  if (row.errors) words.push(m.errorCount({ count: row.errors.length }));
  if (row.logs) words.push(m.logCount({ count: row.logs }));
  return words.join(', ');
}

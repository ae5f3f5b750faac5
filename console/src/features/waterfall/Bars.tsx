import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import * as m from '../../messages/waterfall.ts';
import { cx } from '../../ui/cx.ts';
import { Level } from '../../ui/Level.tsx';
import type { IndexedTrace, Stretch } from './index-trace.ts';
import { categoryOf, tokenOf } from './ops.ts';
import { mergedPlaces, place, type Placed, type TimeWindow } from './scale.ts';
import type { VisibleRow } from './rows.ts';
import styles from './Waterfall.module.css';

/** Marks of one row that are drawn; the panel of the span lists all. */
const maxMarks = 40;

const at = ({ left, width }: Pick<Placed, 'left' | 'width'>) => ({
  '--at': `${left * 100}%`,
  '--for': `${width * 100}%`,
});

/** The time of a row: its bar, where it was waited for, what nobody explains, and what happened in it. */
export const Bars = memo(function Bars({
  index,
  visible,
  window,
  showCritical,
}: {
  readonly index: IndexedTrace;
  readonly visible: VisibleRow;
  readonly window: TimeWindow;
  readonly showCritical: boolean;
}) {
  const row = index.rows[visible.row];
  if (!row) return null;
  const members = Array.from({ length: Math.max(1, visible.run) }, (_, offset) => visible.row + offset);
  const color = { '--bar': `var(${tokenOf(categoryOf(row.op))})` };
  const bar = place(window, row.offsetUs, row.durationUs);
  const spans = members.flatMap((member) => index.rows[member] ?? []);
  const bars = visible.run ? mergedPlaces(window, spans) : bar.outside ? [] : [bar];
  const side = visible.run ? undefined : bar.outside;
  const pieces = (stretches: readonly Stretch[]): Placed[] =>
    stretches.map((each) => place(window, each.offsetUs, each.durationUs)).filter(({ outside }) => !outside);
  const critical = showCritical ? pieces(members.flatMap((member) => index.critical.get(member) ?? [])) : [];
  const gaps = visible.expanded ? pieces(index.gaps.get(visible.row) ?? []) : [];
  const logs = members.flatMap((member) => index.logs.get(member) ?? []).slice(0, maxMarks);
  const failed = spans.some((span) => span.failed);
  return (
    <>
      <div className={styles.bars} style={color} dir="ltr" aria-hidden="true">
        {side && <span className={cx(styles.aside, styles[side])}>{side === 'before' ? '‹' : '›'}</span>}
        {bars.map((each, piece) => (
          <i key={piece} className={cx(styles.work, failed && styles.failedBar)} style={at(each)} />
        ))}
        {gaps.map((each, piece) => (
          <i key={piece} className={styles.gap} style={at(each)} />
        ))}
        {critical.map((each, piece) => (
          <i key={piece} className={styles.critical} style={at(each)} />
        ))}
        {logs.map((log) => {
          const entry = index.trace.logs[log];
          const mark = place(window, entry?.offsetUs ?? 0, 0);
          return (
            entry &&
            !mark.outside && (
              <i
                key={entry.id}
                className={styles.log}
                translate="no"
                data-tip={`${entry.level}: ${entry.message.slice(0, 300)}`}
                style={at(mark)}
              />
            )
          );
        })}
      </div>
      <ErrorMarks index={index} members={members} window={window} />
    </>
  );
});

/** One link a row, at the first error; the others are marks, since targets must not lie on each other. */
function ErrorMarks({
  index,
  members,
  window,
}: {
  readonly index: IndexedTrace;
  readonly members: readonly number[];
  readonly window: TimeWindow;
}) {
  const errors = members
    .flatMap((member) => index.rows[member]?.errors ?? [])
    .flatMap((each) => index.trace.errors[each] ?? [])
    .map((error) => ({ error, mark: place(window, error.offsetUs, 0) }))
    .filter(({ mark }) => !mark.outside);
  const [first, ...others] = errors;
  if (!first) return null;
  const { error, mark } = first;
  const label = others.length ? m.errorsHere({ title: error.title, count: others.length }) : error.title;
  const shown = <Level level={error.level} />;
  return (
    <>
      {others.slice(0, maxMarks).map((other) => (
        <i key={other.error.eventId} className={styles.errorTick} style={at(other.mark)} dir="ltr" aria-hidden="true" />
      ))}
      {error.shortId ? (
        <Link
          to="/issues/$issue"
          params={{ issue: error.shortId }}
          search={{ event: error.eventId }}
          className={styles.error}
          style={at(mark)}
          dir="ltr"
          tabIndex={-1}
          aria-label={m.errorMark({ issue: error.shortId, title: label })}
          data-tip={`${error.shortId}\n${label}`}
          translate="no"
        >
          {shown}
        </Link>
      ) : (
        <span className={styles.error} style={at(mark)} dir="ltr" data-tip={label} translate="no">
          {shown}
        </span>
      )}
    </>
  );
}

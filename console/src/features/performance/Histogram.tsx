import { useMemo, useState } from 'react';
import * as m from '../../messages/charts.ts';
import { Button } from '../../ui/Button.tsx';
import { PlainForm } from '../../ui/PlainForm.tsx';
import { Text } from '../../ui/Text.tsx';
import { compactNumber, exactNumber, percent } from '../../ui/numbers.ts';
import { axisRoom } from '../charts/Axes.tsx';
import { Bars } from '../charts/Bars.tsx';
import { barPieces, highestColumn } from '../charts/bars.ts';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { Plot } from '../charts/Plot.tsx';
import { valueScale, valueTicks } from '../charts/scales.ts';
import { useWidth } from '../charts/use-width.ts';
import {
  axisTicks,
  countWithin,
  histogramSentence,
  isPicked,
  placeOf,
  type HistogramBar,
  type Range,
} from './histogram.ts';
import styles from './Histogram.module.css';
import { milliseconds } from './words.ts';

interface Props {
  readonly bars: readonly HistogramBar[];
  readonly picked: Range | undefined;
  /** Durations that are marked. */
  readonly lines: readonly { readonly label: string; readonly ms: number }[];
  /** A range was drawn or typed; undefined: all again. */
  readonly onPick: (range: Range | undefined) => void;
}

/** px */
const height = 110;
const leastBar = 2;
const tickWidth = 84;

/** Durations by octaves. A part that is drawn, or chosen by keys, is picked; the two fields do the same by numbers. */
export function Histogram({ bars, picked, lines, onPick }: Props) {
  const [pointed, setPointed] = useState<number>();
  const [area, width] = useWidth();
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const drawn = useMemo(() => {
    const series = [{ values: bars.map(({ count }) => count) }];
    const scale = valueScale([{ values: [highestColumn(series, true)] }], [], 1);
    return {
      ticks: valueTicks(scale, height, compactNumber, 'count'),
      pieces: barPieces(series, scale.high, { stacked: true, least: leastBar / height, gap: 0.12 }),
    };
  }, [bars]);
  const when = (column: number): string => {
    const bar = bars[column];
    return bar ? m.range({ from: milliseconds(bar.fromMs), until: milliseconds(bar.untilMs) }) : '';
  };
  const words = (column: number): string => {
    const count = bars[column]?.count ?? 0;
    return m.transactionShare({ count, share: percent(count, total) });
  };
  const rows = bars.flatMap(({ count }, column) => (count > 0 ? [column] : []));
  return (
    <div>
      <ChartFrame
        title={m.durations}
        untitled
        sentence={histogramSentence(bars)}
        showSentence
        legend={[
          {
            label: m.transactions,
            token: '--accent',
            shape: 'bar',
            words,
            widest: m.transactionShare({ count: total, share: percent(1, 1) }),
          },
        ]}
        bare
        columns={bars.length}
        when={when}
        pointed={pointed}
        table={{
          rows,
          columns: [
            { label: m.duration, cell: when },
            { label: m.transactions, cell: (row) => exactNumber(bars[row]?.count ?? 0) },
            { label: m.share, cell: (row) => percent(bars[row]?.count ?? 0, total) },
          ],
        }}
        height={height + axisRoom}
      >
        <Plot
          title={m.durations}
          columns={bars.length}
          reads="columns"
          height={height}
          valueTicks={drawn.ticks}
          columnTicks={axisTicks(bars, Math.max(2, Math.floor(width / tickWidth)), milliseconds)}
          area={area}
          width={width}
          pointed={pointed}
          onPoint={setPointed}
          words={(column) => m.reading({ when: when(column), values: words(column) })}
          clickSelects
          onSelect={([first, last]) => {
            const [from, until] = [bars[first]?.fromMs, bars[last]?.untilMs];
            if (from !== undefined && until !== undefined) onPick({ from, until });
          }}
          down={lines.map(({ label, ms }) => ({ label: `${label} ${milliseconds(ms)}`, place: placeOf(ms, bars) }))}
        >
          <Bars
            pieces={drawn.pieces}
            columns={bars.length}
            tokens={['--accent']}
            faded={(column) => !isPicked(bars[column], picked)}
          />
        </Plot>
      </ChartFrame>
      <PickForm bars={bars} picked={picked} total={total} onPick={onPick} />
    </div>
  );
}

function PickForm({
  bars,
  picked,
  total,
  onPick,
}: Pick<Props, 'bars' | 'picked' | 'onPick'> & { readonly total: number }) {
  return (
    <PlainForm
      key={`${picked?.from} ${picked?.until}`}
      className={styles.pick}
      onSubmit={(values) => {
        const [from, until] = [Number(values.get('from') || 0), Number(values.get('until') || bars.at(-1)?.untilMs)];
        if (from < until) onPick({ from, until });
      }}
    >
      <label>{m.fromMs({ ms: <Bound name="from" ms={picked?.from} /> })}</label>
      <label>{m.untilMs({ ms: <Bound name="until" ms={picked?.until} /> })}</label>
      <Button type="submit" size="small">
        {m.apply}
      </Button>
      {picked ? (
        <>
          <output>
            {m.transactionShare({
              count: countWithin(bars, picked),
              share: percent(countWithin(bars, picked), total),
            })}
          </output>
          <Button size="small" variant="ghost" onClick={() => onPick(undefined)}>
            {m.showAll}
          </Button>
        </>
      ) : (
        <Text tone="faint">{m.selectDurations}</Text>
      )}
    </PlainForm>
  );
}

function Bound({ name, ms }: { readonly name: string; readonly ms: number | undefined }) {
  return (
    <input
      name={name}
      type="number"
      min="0"
      step="any"
      inputMode="decimal"
      defaultValue={ms === undefined ? undefined : Math.round(ms * 1000) / 1000}
    />
  );
}

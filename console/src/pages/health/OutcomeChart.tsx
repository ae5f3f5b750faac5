import { useMemo } from 'react';
import * as m from '../../messages/charts.ts';
import { BarChart } from '../../features/charts/BarChart.tsx';
import { useZoom } from '../../features/charts/use-zoom.ts';
import { outcomeKinds, outcomeStacks } from '../../features/intake/outcome-rows.ts';
import type { Outcomes } from '../../features/intake/queries.ts';

/** Items over time, stacked by outcome. A range that is drawn is the page's. */
export function OutcomeChart({ outcomes }: { readonly outcomes: Outcomes }) {
  const zoom = useZoom();
  const { times, series } = useMemo(() => {
    const stacks = outcomeStacks(outcomes);
    return {
      times: stacks.map(({ start }) => start / 1000),
      series: outcomeKinds
        .map(({ label, token }, kind) => ({ label, token, values: stacks.map(({ parts }) => parts[kind] ?? 0) }))
        .filter(({ values }) => values.some((count) => count > 0)),
    };
  }, [outcomes]);
  return (
    <BarChart
      title={m.itemsByOutcome}
      counted="item"
      times={times}
      bucketSeconds={outcomes.intervalSeconds}
      series={series}
      height={160}
      onZoom={zoom}
    />
  );
}

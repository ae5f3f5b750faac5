import { useState } from 'react';
import * as m from '../../messages/charts.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { startOf, type Region } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';
import styles from './Heatmap.module.css';
import { fromInput, toInput } from './times.ts';

const numberOf = (text: FormDataEntryValue | null): number | undefined =>
  typeof text === 'string' && text.trim() !== '' && Number(text) >= 0 ? Number(text) : undefined;

/** Time and duration by numbers, which is what dragging over the heatmap does. */
export function RegionForm({
  region,
  heatmap,
  onRegion,
}: {
  readonly region: Region;
  readonly heatmap: TraceHeatmap;
  readonly onRegion: (region: Region | undefined) => void;
}) {
  const [wrong, setWrong] = useState<'time' | 'duration'>();
  const { since, before, fromMs, untilMs } = region;
  return (
    <Popover
      label={m.choosePart}
      align="end"
      renderTrigger={(props) => (
        <button {...props} type="button" className={styles.choose}>
          {m.choosePartOpen}
        </button>
      )}
    >
      {(close) => (
        <form
          key={JSON.stringify(region)}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            const typed = {
              since: fromInput(String(data.get('since'))),
              before: fromInput(String(data.get('before'))),
              fromMs: numberOf(data.get('from')),
              untilMs: numberOf(data.get('until')),
            };
            const timed = typed.since !== undefined || typed.before !== undefined;
            const chosen = {
              ...typed,
              since: timed ? (typed.since ?? Math.floor(heatmap.from)) : undefined,
              before: timed ? (typed.before ?? Math.ceil(startOf(heatmap, heatmap.columns))) : undefined,
            };
            if (timed && (chosen.since ?? 0) >= (chosen.before ?? 0)) setWrong('time');
            else if ((chosen.fromMs ?? 0) >= (chosen.untilMs ?? Infinity)) setWrong('duration');
            else {
              setWrong(undefined);
              onRegion(timed || chosen.fromMs !== undefined || chosen.untilMs !== undefined ? chosen : undefined);
              close();
            }
          }}
        >
          <TextField
            label={m.startedFrom}
            name="since"
            type="datetime-local"
            defaultValue={since === undefined ? '' : toInput(since)}
          />
          <TextField
            label={m.startedBefore}
            name="before"
            type="datetime-local"
            defaultValue={before === undefined ? '' : toInput(before)}
            error={wrong === 'time' ? m.endsBeforeStart : undefined}
          />
          <TextField
            label={m.atLeastMs}
            name="from"
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            defaultValue={fromMs ?? ''}
          />
          <TextField
            label={m.belowMs}
            name="until"
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            defaultValue={untilMs ?? ''}
            error={wrong === 'duration' ? m.belowLeast : undefined}
          />
          <Button type="submit">{m.apply}</Button>
        </form>
      )}
    </Popover>
  );
}

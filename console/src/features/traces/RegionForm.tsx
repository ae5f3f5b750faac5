import { lazily } from '../../ui/lazily.tsx';
import * as m from '../../messages/charts.ts';
import { Button } from '../../ui/Button.tsx';
import { Popover } from '../../ui/Popover.tsx';
import type { Region } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';
import styles from './Heatmap.module.css';

const RegionFields = lazily(async () => (await import('./RegionFields.tsx')).RegionFields);

export interface RegionProps {
  readonly region: Region;
  readonly heatmap: TraceHeatmap;
  readonly onRegion: (region: Region | undefined) => void;
}

/** Time and duration by numbers, which is what dragging over the heatmap does. */
export function RegionForm(props: RegionProps) {
  return (
    <Popover
      label={m.choosePart}
      align="end"
      renderTrigger={(trigger) => (
        <Button {...trigger} variant="ghost" size="small">
          {m.choosePartOpen}
        </Button>
      )}
    >
      {(close) => (
        <div className={styles.fields}>
          <RegionFields key={JSON.stringify(props.region)} {...props} onDone={close} />
        </div>
      )}
    </Popover>
  );
}

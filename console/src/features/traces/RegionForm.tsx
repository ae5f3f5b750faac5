import * as m from '../../messages/charts.ts';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { Region } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';
import { isInOrder, regionOfFields, type RegionFields } from './region-fields.ts';
import styles from './Heatmap.module.css';
import { toInput } from './times.ts';

/** Time and duration by numbers, which is what dragging over the heatmap does. */
export function RegionForm(props: {
  readonly region: Region;
  readonly heatmap: TraceHeatmap;
  readonly onRegion: (region: Region | undefined) => void;
}) {
  return (
    <Popover
      label={m.choosePart}
      align="end"
      renderTrigger={(trigger) => (
        <button {...trigger} type="button" className={styles.choose}>
          {m.choosePartOpen}
        </button>
      )}
    >
      {(close) => (
        <div className={styles.fields}>
          <Fields key={JSON.stringify(props.region)} {...props} onDone={close} />
        </div>
      )}
    </Popover>
  );
}

const number = { type: 'number', min: '0', step: 'any', inputMode: 'decimal' } as const;

function Fields({
  region: { since, before, fromMs, untilMs },
  heatmap,
  onRegion,
  onDone,
}: Parameters<typeof RegionForm>[0] & { readonly onDone: () => void }) {
  const form = useForm<RegionFields>({
    start: {
      since: since === undefined ? '' : toInput(since),
      before: before === undefined ? '' : toInput(before),
      least: fromMs === undefined ? '' : String(fromMs),
      most: untilMs === undefined ? '' : String(untilMs),
    },
    save: async (fields) => {
      onRegion(regionOfFields(fields, heatmap));
      onDone();
    },
  });
  const inOrder = (fields: RegionFields, [from, until]: readonly [keyof Region, keyof Region]): boolean => {
    const typed = regionOfFields(fields, heatmap);
    return isInOrder(typed?.[from], typed?.[until]);
  };
  return (
    <Form form={form} submit={m.apply} bare>
      <FieldRow>
        <TextField label={m.startedFrom} type="datetime-local" {...form.field('since', { deps: 'before' })} />
        <TextField
          label={m.startedBefore}
          type="datetime-local"
          {...form.field('before', {
            validate: (_, fields) => inOrder(fields, ['since', 'before']) || m.endsBeforeStart,
          })}
        />
      </FieldRow>
      <FieldRow>
        <TextField label={m.atLeastMs} {...number} {...form.field('least', { deps: 'most' })} />
        <TextField
          label={m.belowMs}
          {...number}
          {...form.field('most', {
            validate: (_, fields) => inOrder(fields, ['fromMs', 'untilMs']) || m.belowLeast,
          })}
        />
      </FieldRow>
    </Form>
  );
}

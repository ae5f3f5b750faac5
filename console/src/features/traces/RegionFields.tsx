import * as m from '../../messages/charts.ts';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { Region } from './heatmap.ts';
import { isInOrder, regionOfFields, type RegionFields as FieldValues } from './region-fields.ts';
import type { RegionProps } from './RegionForm.tsx';
import { toInput } from './times.ts';

const number = { type: 'number', min: '0', step: 'any', inputMode: 'decimal' } as const;

export function RegionFields({
  region: { since, before, fromMs, untilMs },
  heatmap,
  onRegion,
  onDone,
}: RegionProps & { readonly onDone: () => void }) {
  const form = useForm<FieldValues>({
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
  const inOrder = (fields: FieldValues, [from, until]: readonly [keyof Region, keyof Region]): boolean => {
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

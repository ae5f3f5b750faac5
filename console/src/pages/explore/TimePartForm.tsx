import { fromInput } from '../../features/traces/times.ts';
import * as m from '../../messages/explore-compare.ts';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './Compare.module.css';

/** A part of the time by numbers, as dragging over a chart selects it. */
export function TimePartForm({ onPart }: { readonly onPart: (startMs: number, endMs: number) => void }) {
  const form = useForm({
    start: { from: '', until: '' },
    save: ({ from, until }) => {
      onPart((fromInput(from) ?? 0) * 1000, (fromInput(until) ?? 0) * 1000);
      return Promise.resolve();
    },
  });
  return (
    <div className={styles.timePart}>
      <Form form={form} submit={m.compare}>
        <FieldRow>
          <TextField
            label={m.from}
            type="datetime-local"
            {...form.field('from', { required: true, validate: (from) => fromInput(from) !== undefined })}
          />
          <TextField
            label={m.until}
            type="datetime-local"
            {...form.field('until', {
              required: true,
              validate: (until, { from }) => (fromInput(until) ?? 0) > (fromInput(from) ?? 0) || m.untilAfter,
            })}
          />
        </FieldRow>
      </Form>
    </div>
  );
}

import * as m from '../../messages/filters.ts';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './FilterBar.module.css';
import { between } from './filters.ts';

/** A time range from one minute to another. */
export function OwnRange({ onChoose }: { readonly onChoose: (range: ReturnType<typeof between>) => void }) {
  const form = useForm({
    start: { from: '', to: '' },
    save: ({ from, to }) => Promise.resolve(onChoose(between(Date.parse(from), Date.parse(to)))),
  });
  const isAfterFrom = (to: string, { from }: { readonly from: string }): string | boolean =>
    to !== '' && (from === '' || Date.parse(to) > Date.parse(from) || m.toBeforeFrom);
  return (
    <div className={styles.own}>
      <Form form={form} submit={m.apply} bare>
        <TextField label={m.from} type="datetime-local" {...form.field('from', { required: true, deps: 'to' })} />
        <TextField label={m.to} type="datetime-local" {...form.field('to', { validate: isAfterFrom })} />
      </Form>
    </div>
  );
}

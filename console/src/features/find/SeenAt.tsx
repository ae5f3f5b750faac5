import * as m from '../../messages/find.ts';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './NarrowByTime.module.css';
import { around } from './places.ts';
import type { FindScope } from './queries.ts';

/** The hours around a moment. */
export function SeenAt({ onChoose }: { readonly onChoose: (scope: FindScope) => void }) {
  const form = useForm({
    start: { at: '' },
    save: ({ at }) => Promise.resolve(onChoose(around(new Date(at)))),
  });
  return (
    <div className={styles.seen}>
      <Form form={form} submit={m.show} bare>
        <TextField
          label={m.seenAt}
          type="datetime-local"
          max="9999-12-31T23:59"
          {...form.field('at', { validate: (at) => Number.isFinite(Date.parse(at)) })}
        />
      </Form>
    </div>
  );
}

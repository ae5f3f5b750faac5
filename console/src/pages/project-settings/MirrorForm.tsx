import * as m from '../../messages/mirror.ts';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Asks for the DSN of the other side. */
export function MirrorForm({
  save,
  onCancel,
}: {
  readonly save: (dsn: string) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const form = useForm({ start: { dsn: '' }, save: ({ dsn }) => save(dsn.trim()) });
  return (
    <Form form={form} submit={m.save} bare onCancel={onCancel}>
      <TextField
        label={m.dsn}
        hint={m.dsnHint}
        placeholder="https://key@sentry.example/1"
        mono
        focused
        autoComplete="off"
        spellCheck={false}
        {...form.field('dsn', { validate: (dsn) => dsn.trim() !== '' || m.dsnMissing })}
      />
    </Form>
  );
}

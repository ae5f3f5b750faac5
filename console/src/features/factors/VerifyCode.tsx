import * as m from '../../messages/factors.ts';
import { Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';
import { CodeField } from './fields.tsx';
import { showFactor } from './queries.ts';

/** Makes the session one that has shown a second factor. */
export function VerifyCode({ onDone }: { readonly onDone: () => Promise<unknown> }) {
  const form = useForm({
    pressable: true,
    start: { code: '' },
    save: async ({ code }) => {
      await showFactor(code);
      await onDone();
    },
  });
  return (
    <Form form={form} submit={m.verify} bare>
      <CodeField any focused {...form.field('code', { required: m.codeMissing })} />
    </Form>
  );
}

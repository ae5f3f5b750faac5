import { useQueryClient } from '@tanstack/react-query';
import { confirmErasure, type Erasure, erasuresQuery } from '../../features/erasures/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/erase.ts';
import { Dialog, DialogBody } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

/** Asks for one of the values again: only who knows whom it is about erases. The server compares. */
export function ConfirmErase({
  request: { id },
  total,
  onClose,
}: {
  readonly request: Erasure;
  readonly total: number;
  readonly onClose: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm<{ confirm: string }>({
    start: { confirm: '' },
    save: async ({ confirm }) => {
      await confirmErasure(org, id, confirm);
      await queries.invalidateQueries({ queryKey: erasuresQuery(org).queryKey });
      toast(m.confirmed);
      onClose();
    },
  });
  return (
    <Dialog title={m.eraseAsk({ count: total })} onClose={onClose}>
      <DialogBody>
        <Form form={form} submit={m.eraseForGood} bare onCancel={onClose}>
          <p>{m.eraseWhat}</p>
          <TextField
            label={m.confirm}
            hint={m.confirmHint}
            autoComplete="off"
            spellCheck={false}
            {...form.field('confirm', { validate: (text) => text.trim() !== '' || m.confirmNeeded })}
          />
        </Form>
      </DialogBody>
    </Dialog>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { offerUndo } from '../../../features/commands/undo.ts';
import { acceptedQuery, type ProjectCosts } from '../../../features/costs/queries.ts';
import {
  changeQuota,
  createQuota,
  deleteQuota,
  type Quota,
  type QuotaCategory,
  quotasQuery,
} from '../../../features/quotas/queries.ts';
import { fromField } from '../../../features/quotas/words.ts';
import { useOrg } from '../../../features/session/organization.ts';
import * as m from '../../../messages/costs.ts';
import * as r from '../../../messages/retention.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogBody } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Form } from '../../../ui/Form.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { byteSize, exactNumber, percent } from '../../../ui/numbers.ts';
import { Text } from '../../../ui/Text.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { quotaCategoryOf, savedByQuota, suggestedAmount } from './estimates.ts';

interface QuotaSavingProps {
  readonly project: string;
  readonly cost: ProjectCosts['classes'][number];
}

/** Bounds what is accepted of a class in a month, once somebody has seen what that would have dropped. */
export function QuotaSaving({ project, cost }: QuotaSavingProps) {
  const org = useOrg();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: quotasQuery(org).queryKey });
  const restore = useMutation({
    mutationFn: ({ id, before }: { readonly id: string; readonly before: Quota | undefined }): Promise<unknown> =>
      before ? changeQuota(org, id, { amount: before.amount, hard: before.hard }) : deleteQuota(org, id),
    onSettled: again,
  });
  const category = quotaCategoryOf(cost.name);
  if (!category) return null;
  const name = m.quotaOf({ name: r.classes[cost.name], project });
  return (
    <>
      <Button size="small" variant="ghost" aria-label={name} onClick={() => setOpen(true)}>
        {m.quota}
      </Button>
      <FormError error={restore.error} />
      {isOpen && (
        <QuotaDialog
          {...{ project, cost, category, name }}
          onSaved={async ({ id }, before) => {
            await again();
            offerUndo(m.quotaSet, () => restore.mutate({ id, before }));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface QuotaDialogProps extends QuotaSavingProps {
  readonly category: QuotaCategory;
  readonly name: string;
  /** `before`: as it was, where there was one. */
  readonly onSaved: (quota: Quota, before: Quota | undefined) => Promise<void>;
  readonly onClose: () => void;
}

function QuotaDialog(props: QuotaDialogProps) {
  const { project, category, name, onClose } = props;
  const org = useOrg();
  const accepted = useQuery(acceptedQuery(org, project, category));
  const quotas = useQuery(quotasQuery(org));
  const error = accepted.error ?? quotas.error;
  return (
    <Dialog title={name} onClose={onClose}>
      <DialogBody>
        {accepted.data === undefined || !quotas.data ? (
          error ? (
            <FormError error={error} />
          ) : (
            <Text as="p">{m.checking}</Text>
          )
        ) : (
          <QuotaFields
            {...props}
            accepted={accepted.data}
            before={quotas.data.quotas.find(
              (one) =>
                one.scope === 'project' &&
                one.project?.slug === project &&
                one.category === category &&
                one.period === 'month',
            )}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}

function QuotaFields({
  project,
  cost,
  category,
  accepted,
  before,
  onSaved,
  onClose,
}: QuotaDialogProps & {
  /** In the last 30 days. */
  readonly accepted: number;
  readonly before: Quota | undefined;
}) {
  const org = useOrg();
  const form = useForm<{ amount: string }>({
    start: { amount: String(suggestedAmount(accepted)) },
    save: async (fields) => {
      const amount = fromField(category, fields.amount) ?? 0;
      const quota = before
        ? await changeQuota(org, before.id, { amount, hard: true })
        : await createQuota(org, { project, category, period: 'month', amount, hard: true });
      await onSaved(quota, before);
      onClose();
    },
  });
  const amount = fromField(category, form.watch('amount'));
  const saved = amount === undefined ? undefined : savedByQuota(amount, accepted, cost);
  return (
    <Form form={form} submit={m.setQuota} bare onCancel={onClose}>
      <TextField
        label={m.perMonth}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        {...form.field('amount', {
          validate: (text) => fromField(category, text) !== undefined || m.amountInvalid,
        })}
      />
      <div role="status">
        {accepted === 0 && <Text as="p">{m.acceptedNone}</Text>}
        {accepted > 0 && saved && (
          <Text as="p">
            {m.wouldLimit({
              accepted: exactNumber(accepted),
              dropped: exactNumber(saved.dropped),
              share: percent(saved.dropped, accepted),
            })}{' '}
            {saved.bytes > 0 && m.saves({ size: byteSize(saved.bytes) })}
          </Text>
        )}
      </div>
      <Text as="p" small>
        {m.quotaNote} {before && m.quotaThere({ amount: exactNumber(before.amount) })}
      </Text>
    </Form>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Retention,
  retentionPreviewQuery,
  retentionQuery,
  type RetentionUpdate,
  saveRetention,
} from '../../features/retention/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/retention.ts';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { DeleteAsk, useDeleteAsk } from './delete-ask.tsx';
import { daysIn } from './fields.ts';
import { RowsDeleted } from './RowsDeleted.tsx';
import { policiesIn, type PolicyFields, policyFieldsOf, shownRows } from './policies.ts';

/** The ages that projects choose from; one without a name goes. */
export function PoliciesForm({ retention }: { readonly retention: Retention }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { ask, answer } = useDeleteAsk();
  const form = useForm<PolicyFields>({
    start: policyFieldsOf(retention),
    save: async (fields) => {
      const update = policiesIn(fields);
      if (!update) return false;
      const { classes } = await queries.fetchQuery(retentionPreviewQuery(org, update));
      if (classes.some(({ freedRows }) => freedRows > 0) && !(await ask())) return false;
      await saveRetention(org, update);
      await queries.invalidateQueries({ queryKey: retentionQuery(org).queryKey });
      toast(m.saved);
      return true;
    },
  });
  const rows = form.watch('rows');
  const update = policiesIn({ rows });
  return (
    <>
      <Form form={form} submit={m.savePolicies} ready={form.isChanged && update !== undefined}>
        {Array.from({ length: shownRows({ rows }) }, (_, index) => (
          <FieldRow key={index}>
            <TextField label={m.policyName} autoComplete="off" maxLength={40} {...form.field(`rows.${index}.name`)} />
            <TextField
              label={m.days}
              inputMode="numeric"
              autoComplete="off"
              maxLength={5}
              {...form.field(`rows.${index}.days`, {
                validate: (text, all) =>
                  all.rows[index]?.name.trim() === '' || typeof daysIn(text) === 'number' || m.policyDaysInvalid,
              })}
            />
          </FieldRow>
        ))}
        {form.isChanged && update && <Preview update={update} />}
      </Form>
      {answer && update && (
        <DeleteAsk answer={answer}>
          <Preview update={update} />
        </DeleteAsk>
      )}
    </>
  );
}

function Preview({ update }: { readonly update: RetentionUpdate }) {
  const { data, error } = useQuery(retentionPreviewQuery(useOrg(), update));
  // As while a policy is missing that projects use: who saves is told.
  if (error) return null;
  if (!data) return <Text>{m.previewing}</Text>;
  return <RowsDeleted classes={data.classes} />;
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ProjectRetention,
  projectRetentionQuery,
  type RetentionClass,
  retentionQuery,
  saveProjectRetention,
} from '../../../features/retention/queries.ts';
import { useOrg } from '../../../features/session/organization.ts';
import * as m from '../../../messages/costs.ts';
import * as r from '../../../messages/retention.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogBody } from '../../../ui/Dialog.tsx';
import { SelectField } from '../../../ui/Field.tsx';
import { Form } from '../../../ui/Form.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { exactNumber } from '../../../ui/numbers.ts';
import { Text } from '../../../ui/Text.tsx';
import { toast } from '../../../ui/toasts.ts';
import { useForm } from '../../../ui/use-form.ts';
import { PolicyPreview } from '../PolicyPreview.tsx';
import { suggestedPolicy } from './estimates.ts';

interface PolicySavingProps {
  readonly project: string;
  readonly name: RetentionClass['name'];
}

/** Keeps a class of a project for a shorter time, once somebody has seen what that deletes. */
export function PolicySaving({ project, name }: PolicySavingProps) {
  const [isOpen, setOpen] = useState(false);
  const title = m.retentionOf({ name: r.classes[name], project });
  return (
    <>
      <Button size="small" variant="ghost" aria-label={title} onClick={() => setOpen(true)}>
        {m.retention}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <DialogBody>
            <Policies {...{ project, name }} onClose={() => setOpen(false)} />
          </DialogBody>
        </Dialog>
      )}
    </>
  );
}

interface PoliciesProps extends PolicySavingProps {
  readonly onClose: () => void;
}

function Policies(props: PoliciesProps) {
  const { data, error } = useQuery(projectRetentionQuery(useOrg(), props.project));
  if (error) return <FormError error={error} />;
  if (!data) return <Text as="p">{r.loading}</Text>;
  if (data.policies.length === 0) return <Text as="p">{m.noPolicies}</Text>;
  return <PolicyFields {...props} retention={data} />;
}

function PolicyFields({ project, name, retention, onClose }: PoliciesProps & { readonly retention: ProjectRetention }) {
  const org = useOrg();
  const queries = useQueryClient();
  const updateOf = (policy: string) => ({ classes: [{ name, policy }] });
  const form = useForm<{ policy: string }>({
    start: { policy: suggestedPolicy(retention, name) ?? '' },
    save: async ({ policy }) => {
      await saveProjectRetention(org, project, updateOf(policy));
      await queries.invalidateQueries({ queryKey: projectRetentionQuery(org, project).queryKey });
      await queries.invalidateQueries({ queryKey: retentionQuery(org).queryKey, exact: true });
      toast(r.saved);
      onClose();
    },
  });
  const keptDays = retention.classes.find((one) => one.name === name)?.keptDays ?? 0;
  return (
    <Form form={form} submit={r.save} bare onCancel={onClose}>
      <SelectField label={m.policy} {...form.field('policy')}>
        {retention.policies.map((policy) => (
          <option key={policy.name} value={policy.name} translate="no">
            {r.policyOf({ name: policy.name, days: exactNumber(policy.days) })}
          </option>
        ))}
      </SelectField>
      <Text as="p">{m.keptNow({ days: exactNumber(keptDays) })}</Text>
      {retention.held && <Text as="p">{r.held}</Text>}
      <PolicyPreview project={project} update={updateOf(form.watch('policy'))} />
      <Text as="p" small>
        {r.cannotBeUndone}
      </Text>
    </Form>
  );
}

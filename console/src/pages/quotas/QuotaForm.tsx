import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keysQuery, projectsQuery } from '../../features/projects/queries.ts';
import {
  changeQuota,
  createQuota,
  type Quota,
  type QuotaCategory,
  type QuotaPeriod,
  quotasQuery,
} from '../../features/quotas/queries.ts';
import { categories, fromField, toField } from '../../features/quotas/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/quotas.ts';
import { SelectField, TextField, Toggle } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

const periods: readonly QuotaPeriod[] = ['month', 'minute'];

interface Fields {
  /** Slug; '' for the whole organisation. */
  readonly project: string;
  /** Id; '' for all keys. */
  readonly key: string;
  readonly category: QuotaCategory;
  readonly period: QuotaPeriod;
  readonly amount: string;
  readonly hard: boolean;
}

/** A new quota; of one that is there, how much and whether it is hard. */
export function QuotaForm({ quota, onDone }: { readonly quota?: Quota; readonly onDone: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm<Fields>({
    start: {
      project: quota?.project?.slug ?? '',
      key: quota?.key?.id ?? '',
      category: quota?.category ?? 'error',
      period: quota?.period ?? 'month',
      amount: quota ? toField(quota.category, quota.amount) : '',
      hard: quota?.hard ?? true,
    },
    save: async ({ project, key, category, period, amount: text, hard }) => {
      const amount = fromField(category, text) ?? 0;
      if (quota) await changeQuota(org, quota.id, { amount, hard });
      else {
        const whose = { ...(project && { project }), ...(project && key && { key }) };
        await createQuota(org, { ...whose, category, period, amount, hard });
      }
      await queries.invalidateQueries({ queryKey: quotasQuery(org).queryKey });
      toast(quota ? m.saved : m.created);
      onDone();
    },
  });
  const [project, category] = form.watch(['project', 'category']);
  const isBytes = category === 'attachment';
  return (
    <Form form={form} submit={m.save} onCancel={onDone}>
      {!quota && (
        <>
          <FieldRow>
            <ProjectField {...form.field('project')} />
            {project !== '' && <KeyField key={project} project={project} {...form.field('key')} />}
          </FieldRow>
          <FieldRow>
            <SelectField label={m.category} {...form.field('category')}>
              {categories.map((each) => (
                <option key={each} value={each}>
                  {m.categories[each]}
                </option>
              ))}
            </SelectField>
            <SelectField label={m.period} {...form.field('period')}>
              {periods.map((each) => (
                <option key={each} value={each}>
                  {m.periods[each]}
                </option>
              ))}
            </SelectField>
          </FieldRow>
        </>
      )}
      <TextField
        label={isBytes ? m.megabytes : m.amount}
        hint={isBytes ? m.megabytesHint : m.amountHint}
        focused={quota !== undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        {...form.field('amount', {
          validate: (text, all) => fromField(all.category, text) !== undefined || m.amountInvalid,
        })}
      />
      <Toggle label={m.hard} hint={m.hardHint} {...form.field('hard')} />
    </Form>
  );
}

type SelectProps = Omit<Parameters<typeof SelectField>[0], 'label' | 'children'>;

function ProjectField(props: SelectProps) {
  const { data = [] } = useQuery(projectsQuery(useOrg()));
  return (
    <SelectField label={m.scope} {...props}>
      <option value="">{m.wholeOrganization}</option>
      {data
        .filter(({ isInternal }) => !isInternal)
        .map(({ id, slug, name }) => (
          <option key={id} value={slug} translate="no">
            {name}
          </option>
        ))}
    </SelectField>
  );
}

function KeyField({ project, ...props }: SelectProps & { readonly project: string }) {
  const { data = [] } = useQuery(keysQuery(useOrg(), project));
  return (
    <SelectField label={m.key} {...props}>
      <option value="">{m.allKeys}</option>
      {data.map(({ id, label }) => (
        <option key={id} value={id} translate="no">
          {label}
        </option>
      ))}
    </SelectField>
  );
}

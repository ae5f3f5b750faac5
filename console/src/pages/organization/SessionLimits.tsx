import { useQuery, useQueryClient } from '@tanstack/react-query';
import { saveSessionPolicy, type SessionPolicy, sessionPolicyQuery } from '../../features/account/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import * as m from '../../messages/session-limits.ts';
import { SelectField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

const lengths = [1, 8, 12, 24, 72, 168, 336] as const;
const ends = [8, 12, 24, 168, 720, 2160] as const;

const lengthOf = (hours: number): string =>
  hours > 24 && hours % 24 === 0 ? m.days({ count: hours / 24 }) : m.hours({ count: hours });

/** The lengths to choose from, with the one that a program has set. */
const optionsOf = (usual: readonly number[], chosen: number | null) =>
  [...new Set(chosen === null ? usual : [...usual, chosen])]
    .toSorted((a, b) => a - b)
    .map((hours) => (
      <option key={hours} value={hours}>
        {lengthOf(hours)}
      </option>
    ));

/** How long sessions of the organisation's members last, for owners. */
export function SessionLimits() {
  const { organization } = useSession();
  const policy = useQuery(sessionPolicyQuery(useOrg()));
  return (
    <Section title={m.title} note={m.note({ organization: organization.name })}>
      <QueryView query={policy} loading={m.loading} failed={m.failed} rows={2} height={44}>
        {(found) => <LimitsForm key={JSON.stringify(found)} policy={found} />}
      </QueryView>
    </Section>
  );
}

function LimitsForm({ policy }: { readonly policy: SessionPolicy }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { idleHours, lifetimeHours } = policy;
  const form = useForm({
    start: { idle: String(idleHours ?? ''), lifetime: String(lifetimeHours ?? '') },
    save: async ({ idle, lifetime }) => {
      const saved = await saveSessionPolicy(org, {
        idleHours: Number(idle) || null,
        lifetimeHours: Number(lifetime) || null,
      });
      queries.setQueryData(sessionPolicyQuery(org).queryKey, saved);
      toast(m.saved);
    },
  });
  return (
    <Form form={form} submit={m.save} ready={form.isChanged}>
      <FieldRow>
        <SelectField label={m.idle} {...form.field('idle')}>
          {optionsOf(lengths, idleHours)}
          <option value="">{m.idleUsual}</option>
        </SelectField>
        <SelectField label={m.lifetime} {...form.field('lifetime')}>
          {optionsOf(ends, lifetimeHours)}
          <option value="">{m.lifetimeNone}</option>
        </SelectField>
      </FieldRow>
    </Form>
  );
}

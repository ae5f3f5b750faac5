import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type HeldProject, holdsQuery, releaseHold, setHold } from '../../features/erasures/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/erase.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

/** Projects of which nothing is deleted and nothing ages out, and why. */
export function HoldsSection() {
  const org = useOrg();
  const queries = useQueryClient();
  const holds = useQuery(holdsQuery(org));
  const [adding, setAdding] = useState(false);
  const [releasing, setReleasing] = useState<HeldProject>();
  const again = () => queries.invalidateQueries({ queryKey: holdsQuery(org).queryKey });
  const release = useMutation({
    mutationFn: ({ project }: HeldProject) => releaseHold(org, project),
    onSuccess: async () => {
      await again();
      setReleasing(undefined);
      toast(m.released);
    },
  });
  return (
    <Section
      title={m.holds}
      note={m.holdsNote}
      actions={
        !adding && (
          <Button size="small" onClick={() => setAdding(true)}>
            {m.hold}
          </Button>
        )
      }
    >
      {adding && (
        <HoldForm
          onDone={async () => {
            await again();
            setAdding(false);
          }}
          onCancel={() => setAdding(false)}
        />
      )}
      <QueryView query={holds} loading={m.loadingHolds} failed={m.holdsFailed} rows={1} height={48}>
        {(all) =>
          all.length === 0 ? (
            !adding && <Nothing>{m.noHolds}</Nothing>
          ) : (
            <DataList label={m.holds}>
              {all.map((held) => (
                <DataRow
                  key={held.project}
                  title={<strong translate="no">{held.project}</strong>}
                  facts={
                    <Facts>
                      <span translate="no">{held.reason}</span>
                      <Time at={held.dateCreated} />
                    </Facts>
                  }
                  actions={
                    <Button
                      size="small"
                      variant="ghost"
                      aria-label={m.releaseOf({ project: held.project })}
                      onClick={() => setReleasing(held)}
                    >
                      {m.release}
                    </Button>
                  }
                />
              ))}
            </DataList>
          )
        }
      </QueryView>
      {releasing && (
        <Confirm
          title={m.releaseAsk({ project: releasing.project })}
          action={m.release}
          busy={release.isPending}
          onConfirm={() => release.mutate(releasing)}
          onClose={() => setReleasing(undefined)}
        >
          <p>{m.releaseWhat}</p>
          <FormError error={release.error} />
        </Confirm>
      )}
    </Section>
  );
}

function HoldForm({ onDone, onCancel }: { readonly onDone: () => Promise<void>; readonly onCancel: () => void }) {
  const org = useOrg();
  const { data: projects = [] } = useQuery(projectsQuery(org));
  const form = useForm<{ project: string; reason: string }>({
    start: { project: '', reason: '' },
    save: async ({ project, reason }) => {
      await setHold(org, project, reason);
      toast(m.held);
      await onDone();
    },
  });
  return (
    <Form form={form} submit={m.hold} onCancel={onCancel}>
      <FieldRow>
        <SelectField
          label={m.project}
          {...form.field('project', { validate: (slug) => slug !== '' || m.projectNeeded })}
        >
          <option value="">{m.chooseProject}</option>
          {projects.map(({ id, slug, name }) => (
            <option key={id} value={slug} translate="no">
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={m.reason}
          hint={m.reasonHint}
          autoComplete="off"
          maxLength={500}
          {...form.field('reason', { validate: (text) => text.trim().length >= 3 || m.reasonNeeded })}
        />
      </FieldRow>
    </Form>
  );
}

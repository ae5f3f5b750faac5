import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { offerUndo } from '../../features/commands/undo.ts';
import { Empty } from '../../features/places/Empty.tsx';
import {
  createQuota,
  deleteQuota,
  type Quota,
  type Quotas,
  quotasQuery,
  requestOf,
} from '../../features/quotas/queries.ts';
import { amountOf, fullness, usedText } from '../../features/quotas/words.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/quotas.ts';
import { Bar } from '../../ui/Bar.tsx';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { AddIcon } from '../../ui/icons.ts';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { none } from './empty.ts';
import { QuotaForm } from './QuotaForm.tsx';
import { QuotaRow } from './QuotaRow.tsx';
import { QuotaSettings } from './QuotaSettings.tsx';

/** Quotas of the organisation, its projects and keys, what is used of them, and who is told. */
export function QuotasPage() {
  useTitle(m.title, m.settings);
  const org = useOrg();
  const may = useMay('org:write');
  const queries = useQueryClient();
  const quotas = useQuery(quotasQuery(org));
  /** Id of the one that is edited; `new` while one is added. */
  const [editing, setEditing] = useState<string>();
  const close = (): void => setEditing(undefined);
  const again = () => queries.invalidateQueries({ queryKey: quotasQuery(org).queryKey });
  const restore = useMutation({ mutationFn: (quota: Quota) => createQuota(org, requestOf(quota)), onSettled: again });
  const remove = useMutation({
    mutationFn: ({ id }: Quota) => deleteQuota(org, id),
    onSuccess: async (_, quota) => {
      await again();
      offerUndo(m.deleted, () => restore.mutate(quota));
    },
  });
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title={m.title}
          note={m.note}
          actions={
            may &&
            editing !== 'new' &&
            Boolean(quotas.data?.quotas.length) && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
                {m.add}
              </Button>
            )
          }
        >
          <FormError error={remove.error ?? restore.error} />
          {editing === 'new' && <QuotaForm onDone={close} />}
          <QueryView query={quotas} loading={m.loading} failed={m.failed} rows={3} height={64}>
            {({ quotas: all }) =>
              all.length === 0 ? (
                editing !== 'new' && <Empty of={none} onAct={may ? () => setEditing('new') : undefined} />
              ) : (
                <DataList label={m.title}>
                  {all.map((quota) =>
                    may && editing === quota.id ? (
                      <li key={quota.id}>
                        <QuotaForm quota={quota} onDone={close} />
                      </li>
                    ) : (
                      <QuotaRow
                        key={quota.id}
                        quota={quota}
                        onEdit={may ? () => setEditing(quota.id) : undefined}
                        onDelete={may ? () => remove.mutate(quota) : undefined}
                      />
                    ),
                  )}
                </DataList>
              )
            }
          </QueryView>
        </Section>
        {quotas.data && <Used quotas={quotas.data} />}
        {quotas.data && <QuotaSettings quotas={quotas.data} />}
      </Column>
    </>
  );
}

const monthOf = (start: string, timeZone: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { timeZone, month: 'long', year: 'numeric' }).format(
    Date.parse(start),
  );

/** What was accepted this month of each category, of the whole organisation. */
function Used({ quotas: { used, quotas, month, timeZone } }: { readonly quotas: Quotas }) {
  return (
    <Section title={m.used} note={m.usedNote({ month: monthOf(month.start, timeZone), zone: timeZone })}>
      <DataList label={m.used} compact>
        {used.map(({ category, used: amount }) => {
          const quota = quotas.find(
            (one) => one.scope === 'organization' && one.category === category && one.period === 'month',
          );
          return (
            <DataRow
              key={category}
              title={m.categories[category]}
              end={quota ? usedText(quota) : amountOf(category, amount)}
            >
              {quota && <Bar {...fullness(quota)} />}
            </DataRow>
          );
        })}
      </DataList>
    </Section>
  );
}

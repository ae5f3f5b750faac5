import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty } from '../../../features/places/Empty.tsx';
import { deleteProvider, type Provider, providersQuery } from '../../../features/providers/queries.ts';
import { useOrg } from '../../../features/session/organization.ts';
import { SettingsBar } from '../../../features/settings/SettingsBar.tsx';
import * as m from '../../../messages/sign-in-providers.ts';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import { DataList } from '../../../ui/DataList.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { AddIcon } from '../../../ui/icons.ts';
import { Column, Section } from '../../../ui/Page.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { useTitle } from '../../../ui/title.ts';
import { toast } from '../../../ui/toasts.ts';
import { none } from './empty.ts';
import { ProviderForm } from './ProviderForm.tsx';
import { ProviderRow } from './ProviderRow.tsx';
import { RequiredProvider } from './RequiredProvider.tsx';
import { SecondFactorDemand } from './SecondFactorDemand.tsx';

const route = getRouteApi('/shell/settings/sign-in');

/** How members of the organisation sign in: its providers, and what it requires. */
export function SignInSettingsPage() {
  useTitle(m.title, m.settings);
  const org = useOrg();
  const queries = useQueryClient();
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const providers = useQuery(providersQuery(org));
  const [deleting, setDeleting] = useState<Provider>();
  const show = (next: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, edit: next }), resetScroll: false });
  const close = (): void => show(undefined);
  const remove = useMutation({
    mutationFn: (id: string) => deleteProvider(org, id),
    onSuccess: async () => {
      setDeleting(undefined);
      await queries.invalidateQueries({ queryKey: ['sign-in-providers', org] });
      toast(m.deleted);
    },
  });
  return (
    <>
      <SettingsBar />
      <Column wide>
        <Section
          title={m.providers}
          note={m.note}
          actions={
            edit !== 'new' &&
            Boolean(providers.data?.length) && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => show('new')}>
                {m.add}
              </Button>
            )
          }
        >
          {edit === 'new' && <ProviderForm onDone={close} />}
          <QueryView
            query={providers}
            loading={m.loading}
            failed={m.failed}
            empty={edit !== 'new' && <Empty of={none} onAct={() => show('new')} />}
          >
            {(all) => (
              <DataList label={m.providers}>
                {all.map((each) =>
                  edit === each.id ? (
                    <li key={each.id}>
                      <ProviderForm provider={each} onDone={close} />
                    </li>
                  ) : (
                    <ProviderRow
                      key={each.id}
                      provider={each}
                      onEdit={() => show(each.id)}
                      onDelete={() => setDeleting(each)}
                    />
                  ),
                )}
              </DataList>
            )}
          </QueryView>
        </Section>
        {providers.data && providers.data.length > 0 && <RequiredProvider providers={providers.data} />}
        <SecondFactorDemand key={org} />
      </Column>
      {deleting && (
        <Confirm
          title={m.deleteTitle({ name: deleting.name })}
          action={m.deleteAction}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{m.deleteHint}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { erasuresQuery } from '../../features/erasures/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/erase.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { AddIcon } from '../../ui/icons.ts';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { none } from './empty.ts';
import { HoldsSection } from './HoldsSection.tsx';
import { RequestForm } from './RequestForm.tsx';
import { RequestRow } from './RequestRow.tsx';

/** What is stored of a person or an event: found, exported, erased, with a certificate. For owners. */
export function ErasePage() {
  useTitle(m.title, m.settings);
  const { kind, value, of } = useSearch({ from: '/shell/settings/erase' });
  const [open, setOpen] = useState(value !== undefined);
  const requests = useQuery(erasuresQuery(useOrg()));
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title={m.title}
          note={m.note}
          actions={
            !open &&
            Boolean(requests.data?.length) && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => setOpen(true)}>
                {m.search}
              </Button>
            )
          }
        >
          {open && <RequestForm start={{ kind, value, project: of }} onDone={() => setOpen(false)} />}
          <QueryView query={requests} loading={m.loading} failed={m.failed} rows={3} height={64}>
            {(all) =>
              all.length === 0 ? (
                !open && <Empty of={none} onAct={() => setOpen(true)} />
              ) : (
                <DataList label={m.requests}>
                  {all.map((request) => (
                    <RequestRow key={request.id} request={request} />
                  ))}
                </DataList>
              )
            }
          </QueryView>
        </Section>
        <HoldsSection />
      </Column>
    </>
  );
}

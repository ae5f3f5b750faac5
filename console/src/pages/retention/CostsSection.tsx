import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { costsQuery, type ProjectCost } from '../../features/costs/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/costs.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing } from '../../ui/Text.tsx';
import { classesText } from './words.ts';

/** Its code comes with the first project that is unfolded. */
const ProjectCosts = lazily(async () => (await import('./ProjectCosts.tsx')).ProjectCosts);

/** What each project takes of the disk; of one that is unfolded, what of it. */
export function CostsSection() {
  const costs = useQuery(costsQuery(useOrg()));
  return (
    <Section title={m.title} note={m.note}>
      <QueryView query={costs} loading={m.loading} failed={m.failed} rows={3} height={64}>
        {(all) =>
          all.length === 0 ? (
            <Nothing>{m.none}</Nothing>
          ) : (
            <DataList label={m.title}>
              {all.map((cost) => (
                <ProjectRow key={cost.project.id} cost={cost} />
              ))}
            </DataList>
          )
        }
      </QueryView>
    </Section>
  );
}

export function ProjectRow({ cost }: { readonly cost: ProjectCost }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <DataRow
      title={
        <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
          <span translate="no">{cost.project.name}</span>
        </Disclosure>
      }
      facts={<Facts>{classesText(cost)}</Facts>}
      end={byteSize(cost.bytes)}
    >
      <div id={id}>{open && <ProjectCosts project={cost.project.slug} />}</div>
    </DataRow>
  );
}

import { useQuery } from '@tanstack/react-query';
import { type Retention, retentionQuery } from '../../features/retention/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/retention.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import { CostsSection } from './CostsSection.tsx';
import { PoliciesForm } from './PoliciesForm.tsx';
import { ProjectPolicies } from './ProjectPolicies.tsx';
import { RetentionForm } from './RetentionForm.tsx';
import { keptText, storedText } from './words.ts';

/** How long each class of data is kept and up to which size, and what went because of its size. */
export function RetentionPage() {
  useTitle(m.title, m.settings);
  const retention = useQuery(retentionQuery(useOrg()));
  const may = useMay('org:admin') && retention.data?.mayChange === true;
  return (
    <>
      <SettingsBar />
      <Column>
        <Section title={m.title} note={m.note}>
          <QueryView query={retention} loading={m.loading} failed={m.failed} rows={6} height={64}>
            {(found) =>
              may ? (
                <RetentionForm key={JSON.stringify(found.classes)} retention={found} />
              ) : (
                <DataList label={m.title}>
                  {found.classes.map((one) => (
                    <DataRow key={one.name} title={m.classes[one.name]} end={keptText(one)}>
                      <Facts>{storedText(one)}</Facts>
                    </DataRow>
                  ))}
                </DataList>
              )
            }
          </QueryView>
        </Section>
        {retention.data && may && (
          <Section title={m.policies} note={m.policiesNote}>
            <PoliciesForm key={JSON.stringify(retention.data.policies)} retention={retention.data} />
          </Section>
        )}
        {retention.data && retention.data.policies.length > 0 && (
          <ProjectPolicies key={JSON.stringify(retention.data.policies.map(({ name, days }) => [name, days]))} />
        )}
        <CostsSection />
        {retention.data && retention.data.drops.length > 0 && <Drops drops={retention.data.drops} />}
      </Column>
    </>
  );
}

export function Drops({ drops }: Pick<Retention, 'drops'>) {
  return (
    <Section title={m.dropped} note={m.droppedNote}>
      <DataList label={m.dropped} compact>
        {drops.map(({ name, reason, before, bytes, date, done }) => (
          <DataRow
            key={`${name} ${date}`}
            title={m.classes[name]}
            facts={
              <Facts>
                <>
                  {m.before} <Time at={before} />
                </>
                {m.reasons[reason]}
                {!done && m.underWay}
              </Facts>
            }
            end={byteSize(bytes)}
          />
        ))}
      </DataList>
    </Section>
  );
}

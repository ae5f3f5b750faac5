import { Link } from '@tanstack/react-router';
import type { Health } from '../../features/intake/queries.ts';
import * as m from '../../messages/health.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { byteSize } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

export type Disk = NonNullable<Health['disk']>;

/** What takes how much of the disk, what of it is given back and when, and when the disk will be full. */
export function DiskUse({ disk }: { readonly disk: Disk }) {
  const { stores, projects, measuredAt } = disk;
  return (
    <Section title={m.diskUse} note={measuredAt ? m.measured({ when: <Time at={measuredAt} /> }) : m.notMeasured}>
      <Stack gap={12}>
        <Text as="p">{forecastOf(disk.forecast)}</Text>
        {stores.length > 0 && <Stores stores={stores} />}
        {projects.length > 0 && <Projects projects={projects} />}
      </Stack>
    </Section>
  );
}

function forecastOf({ state, full, earliest, latest, bytesPerDay, horizonDays }: Disk['forecast']) {
  const growth = byteSize(Math.max(0, bytesPerDay ?? 0));
  if (state === 'unknown') return m.forecastUnknown;
  if (state === 'none' || !full || !earliest) return m.forecastNone({ days: horizonDays, growth });
  const times = { when: <Time at={full} />, earliest: <Time at={earliest} />, growth };
  return latest ? m.forecastFull({ ...times, latest: <Time at={latest} /> }) : m.forecastPerhaps(times);
}

function Stores({ stores }: Pick<Disk, 'stores'>) {
  return (
    <DataTable
      label={m.diskUse}
      boxed
      dense
      head={
        <>
          <HeadCell main>{m.diskStore}</HeadCell>
          <HeadCell number>{m.size}</HeadCell>
          <HeadCell number>{m.toReturn}</HeadCell>
          <HeadCell number hide="narrow">
            {m.oldest}
          </HeadCell>
          <HeadCell number hide="narrow">
            {m.oldestLeaves}
          </HeadCell>
        </>
      }
    >
      {stores.map(({ store, bytes, waitingBytes, isHere, oldest, oldestLeaves }) => (
        <tr key={store}>
          <RowHead>{isHere ? m.stores[store] : m.elsewhere({ store: m.stores[store] })}</RowHead>
          <Cell number>{byteSize(bytes)}</Cell>
          <Cell number>{waitingBytes > 0 ? byteSize(waitingBytes) : '–'}</Cell>
          <Cell number hide="narrow">
            {oldest ? <Time at={oldest} /> : '–'}
          </Cell>
          <Cell number hide="narrow">
            {oldestLeaves ? <Time at={oldestLeaves} /> : '–'}
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

function Projects({ projects }: Pick<Disk, 'projects'>) {
  return (
    <DataTable
      label={m.largestProjects}
      boxed
      dense
      head={
        <>
          <HeadCell main>{m.project}</HeadCell>
          <HeadCell number>{m.approximateSize}</HeadCell>
        </>
      }
    >
      {projects.map(({ project, bytes }) => (
        <tr key={project}>
          <RowHead>
            <Link from="/health" to="." search={(before) => ({ ...before, project })} translate="no">
              {project}
            </Link>
          </RowHead>
          <Cell number>{byteSize(bytes)}</Cell>
        </tr>
      ))}
    </DataTable>
  );
}

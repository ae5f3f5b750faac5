import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import * as m from '../../messages/now.ts';
import { EventCount } from '../../features/issues/EventCount.tsx';
import type { Now } from '../../features/now/queries.ts';
import { freeShare } from '../../features/releases/health-words.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { compactNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { isUnusual, timesUsual } from './hotspots.ts';

const maxPlaces = 6;

/** The last deploy, where errors come from, and whether what is sent arrives. */
export function Beside({ now: { change, hotspots, intake, sessions } }: { readonly now: Now }) {
  return (
    <aside>
      <Stack gap={24}>
        {intake.length > 0 && (
          <Panel id="intake" title={m.intake} boxed={false}>
            {intake.map(({ weight, sentence }) => (
              <p key={sentence}>
                {weight === 'usual' ? <Text>{server(sentence)}</Text> : server(sentence)}{' '}
                <Link to="/health">{m.intakeLink}</Link>
              </p>
            ))}
          </Panel>
        )}
        <Panel id="change" title={m.change} boxed={false}>
          {change ? <LastChange change={change} /> : <Text as="p">{m.noRelease}</Text>}
        </Panel>
        {sessions.crashFree !== null && (
          <Panel id="sessions" title={m.sessions} boxed={false}>
            <p>
              {(sessions.crashFreeBefore === null ? m.crashFree : m.crashFreeBefore)({
                share: (
                  <Link to="/releases">
                    <strong>{freeShare(sessions.crashFree)}</strong>
                  </Link>
                ),
                count: compactNumber(sessions.count),
                before: sessions.crashFreeBefore === null ? '' : freeShare(sessions.crashFreeBefore),
              })}
            </p>
          </Panel>
        )}
        <Panel id="places" title={m.hotspots}>
          {hotspots.length === 0 ? <Nothing>{m.noErrors}</Nothing> : <Hotspots hotspots={hotspots} />}
        </Panel>
      </Stack>
    </aside>
  );
}

/** The server writes it. */
const server = (sentence: string) => <span translate="no">{sentence}</span>;

function LastChange({ change }: { readonly change: NonNullable<Now['change']> }) {
  const { kind, version, name, environment, at } = change;
  const parts = {
    release: (
      <Link to="/releases/$version" params={{ version }} translate="no">
        <strong>{name}</strong>
      </Link>
    ),
    when: <Time at={at} />,
  };
  const isDeploy = kind === 'deploy';
  return (
    <p>
      {environment
        ? (isDeploy ? m.deployedTo : m.firstEventsIn)({ ...parts, environment })
        : (isDeploy ? m.deployed : m.firstEvents)(parts)}
    </p>
  );
}

function Hotspots({ hotspots }: Pick<Now, 'hotspots'>) {
  return (
    <DataTable
      label={m.hotspots}
      dense
      head={
        <>
          <HeadCell main>{m.transaction}</HeadCell>
          <HeadCell number>{m.errors}</HeadCell>
          <HeadCell number>{m.comparison}</HeadCell>
        </>
      }
    >
      {hotspots.slice(0, maxPlaces).map((spot) => (
        <tr key={`${spot.project}\n${spot.transaction}`}>
          <RowHead>
            <Link
              to="/issues"
              search={{
                q: spot.transaction ? termText('transaction', spot.transaction) : '!has:transaction',
                project: spot.project,
                range: '1h',
              }}
              className={rowLinkClass}
            >
              {spot.transaction ? <span translate="no">{spot.transaction}</span> : m.noTransaction}
            </Link>
          </RowHead>
          <Cell number>
            <EventCount of={spot} />
          </Cell>
          <Cell number>
            {isUnusual(spot) ? (
              <Text tone="error">
                <strong>{timesUsual(spot)}</strong>
              </Text>
            ) : (
              timesUsual(spot)
            )}
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

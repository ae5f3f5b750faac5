import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ProjectKey } from '../../features/projects/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { some } from '../../ui/testing/some.ts';
import type { DebugFile } from '../../features/source-maps/queries.ts';
import { DebugFileRow } from './DebugFileRow.tsx';
import { DiscardedRow, type Tombstone } from './DiscardedRow.tsx';
import { EditKey } from './EditKey.tsx';
import type { Mirror } from '../../features/projects/mirror.ts';
import { KeyRow } from './KeyRow.tsx';
import { MirrorRow } from './MirrorRow.tsx';

const key = some<ProjectKey>({
  id: '1',
  name: 'Default',
  label: 'Default',
  isActive: true,
  dateCreated: '2026-11-25T10:00:00Z',
  rateLimit: null,
  blobBytesPerDay: null,
  dsn: { public: 'http://0123@localhost:7420/1', aliases: [] },
});
const actions = { editing: false, toggling: false, onEdit: vi.fn(), onToggle: vi.fn(), onDelete: vi.fn() };

test('a key with its limit, and one that is disabled', async () => {
  const screen = await renderInApp(
    <DataList label="Keys">
      <KeyRow projectKey={key} {...actions} />
      <KeyRow projectKey={{ ...key, isActive: false, rateLimit: { count: 1000, window: 3600 } }} {...actions} />
    </DataList>,
  );
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).toMatch(/Default.*EditDisableDelete.*http:/);
  expect(second?.textContent).toMatch(/disabled.*1,000 per hour.*EditEnableDelete/);
  await screen.getByRole('button', { name: 'Disable' }).click();
  expect(actions.onToggle).toHaveBeenCalledOnce();
  await expect.element(screen.getByRole('button', { name: 'Copy DSN of Default' }).first()).toBeVisible();
});

test('a key of a project that had another id elsewhere', async () => {
  const dsn = { ...key.dsn, aliases: ['http://0123@localhost:7420/4507199254740993127'] };
  const screen = await renderInApp(
    <DataList label="Keys">
      <KeyRow projectKey={{ ...key, dsn }} {...actions} />
    </DataList>,
  );
  await expect.element(screen.getByText('http://0123@localhost:7420/4507199254740993127')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Copy DSN of Default with an earlier ID' })).toBeVisible();
});

test('a debug file that is used, one that is read and one that was refused', async () => {
  const file = some<DebugFile>({
    id: '1',
    symbolType: 'proguard',
    debugId: '6dc7fdb0-d2fb-4c8e-9d6b-bb1aa98929b1',
    objectName: 'proguard-mapping',
    state: 'ok',
    detail: null,
    size: 50_000_000,
    entries: 1200,
    framesResolved: 7,
    dateModified: '2026-11-25T10:00:00Z',
  });
  const remove = vi.fn();
  const refused: DebugFile = {
    ...file,
    id: '3',
    symbolType: 'unknown',
    debugId: '',
    objectName: hostileText,
    state: 'error',
  };
  const screen = await renderInApp(
    <DataList label="Debug files">
      <DebugFileRow file={file} onDelete={remove} />
      <DebugFileRow file={{ ...file, id: '2', symbolType: 'sourcebundle', state: 'assembling' }} onDelete={undefined} />
      <DebugFileRow file={{ ...refused, detail: hostileText }} onDelete={remove} />
    </DataList>,
  );
  const [used, read] = screen.getByRole('listitem').elements();
  expect(used?.textContent).toMatch(/ProGuard mapping 6dc7fdb0.*1,200 classes.*7 frames resolved/);
  expect(read?.textContent).toMatch(/Source bundle.*indexing/);
  await screen.getByRole('button', { name: /Delete debug file 6dc7fdb0/ }).click();
  expect(remove).toHaveBeenCalledOnce();
  await expectToFitNarrow();
});

test('limits are numbers or nothing', async () => {
  const save = vi.fn(() => Promise.resolve());
  const screen = await renderInApp(<EditKey projectKey={key} save={save} onCancel={() => undefined} />);
  const limit = screen.getByLabelText('Rate limit');
  await limit.fill('many');
  await userEvent.tab();
  await screen.getByLabelText('Per', { exact: true }).selectOptions('hour');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Enter a whole number');
  await expect.element(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  await limit.fill('20');
  await screen.getByLabelText(/^Attachments/).fill('1.5');
  await screen.getByRole('button', { name: 'Save' }).click();
  expect(save).toHaveBeenCalledWith({
    name: 'Default',
    rateLimit: { count: 20, window: 3600 },
    blobBytesPerDay: 1_572_864,
  });
});

const discarded = some<Tombstone>({
  id: '1',
  shortId: 'WEB-1',
  title: 'TypeError',
  culprit: '',
  actor: null,
  dateCreated: '2026-11-25T10:00:00Z',
});

test('a discarded issue says by whom, where that is known', async () => {
  const screen = await renderInApp(
    <DataList label="Discarded">
      <DiscardedRow tombstone={discarded} busy={false} onAccept={() => undefined} />
      <DiscardedRow
        tombstone={some<Tombstone>({
          ...discarded,
          shortId: 'WEB-2',
          actor: { name: 'Ada', email: 'ada@example.com' },
        })}
        busy={false}
        onAccept={() => undefined}
      />
    </DataList>,
  );
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).not.toContain(' by ');
  expect(second?.textContent).toContain('by Ada');
  await expect.element(screen.getByRole('button', { name: 'Accept events of WEB-2 again' })).toBeEnabled();
});

test('rows of long words have room on a phone', async () => {
  await renderInApp(
    <DataList label="Rows">
      <KeyRow projectKey={{ ...key, label: hostileText }} {...actions} />
      <DiscardedRow
        tombstone={{ ...discarded, title: hostileText, culprit: hostileText }}
        busy={false}
        onAccept={() => undefined}
      />
    </DataList>,
  );
  await expectToFitNarrow();
});

test('a mirror that forwards, and one that fails with long answers', async () => {
  const limits = { maxBytes: 2 ** 30, maxHours: 24 };
  const row = { limits, tested: undefined, busy: undefined, editing: false, onTest: vi.fn(), onToggle: vi.fn() };
  const more = { onEdit: vi.fn(), onRemove: undefined };
  const mirror = some<Mirror>({
    target: 'https://…0123@sentry.example/1',
    enabled: true,
    forwarded: 12_345,
    lastForwarded: '2026-11-25T10:00:00Z',
    refused: 0,
    lastRefused: null,
    refusal: '',
    dropped: 0,
    lastDropped: null,
    waiting: 0,
    waitingBytes: 0,
    lagMs: null,
    nextAttempt: null,
    failingSince: null,
    problem: '',
  });
  const failing: Mirror = {
    ...mirror,
    enabled: false,
    refused: 3,
    lastRefused: '2026-11-25T10:00:00Z',
    refusal: `403: ${hostileText}`,
    dropped: 7,
    lastDropped: '2026-11-25T10:00:00Z',
    waiting: 1_500,
    waitingBytes: 3 * 2 ** 20,
    lagMs: 90_000,
    nextAttempt: '2026-11-25T10:00:00Z',
    failingSince: '2026-11-25T10:00:00Z',
    problem: hostileText,
  };
  const screen = await renderInApp(
    <DataList label="Mirror">
      <MirrorRow mirror={mirror} {...row} {...more} tested={{ eventId: 'a1', accepted: true, answer: '200' }} />
      <MirrorRow mirror={failing} {...row} {...more} tested={{ eventId: 'a2', accepted: false, answer: hostileText }} />
    </DataList>,
  );
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).toMatch(
    /12,345 forwarded.*none waiting.*Send testPauseChange.*accepted the test event a1/,
  );
  expect(second?.textContent).toMatch(/disabled.*1,500 waiting.*lag.*3 refused.*7 dropped.*Resume.*Failing since/);
  await screen.getByRole('button', { name: 'Send test' }).first().click();
  expect(row.onTest).toHaveBeenCalledOnce();
  await expectToFitNarrow();
});

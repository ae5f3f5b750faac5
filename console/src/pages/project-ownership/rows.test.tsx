import { expect, test, vi } from 'vitest';
import type { OwnershipPreview, OwnershipTested } from '../../features/ownership/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { some } from '../../ui/testing/some.ts';
import { PreviewRow } from './PreviewRow.tsx';
import { Tested } from './TestResult.tsx';

type Issue = OwnershipPreview['issues'][number];
const unowned = some<Issue>({
  id: '1',
  shortId: 'WEB-1',
  title: 'TypeError',
  source: null,
  line: null,
  why: null,
  owner: null,
});
const owned = some<Issue>({
  ...unowned,
  id: '2',
  shortId: 'WEB-2',
  source: 'rule',
  line: 3,
  why: 'path src/pay.ts',
  owner: { type: 'team', slug: 'payments', name: 'Payments' },
});

test('an issue with its owner and the line that decides', async () => {
  const onTest = vi.fn();
  const screen = await renderInApp(
    <DataList label="Issues">
      <PreviewRow issue={unowned} onTest={onTest} />
      <PreviewRow issue={owned} onTest={() => undefined} />
    </DataList>,
  );
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).toMatch(/WEB-1 TypeErrorno rule matchesUnassigned/);
  expect(second?.textContent).toMatch(/line 3: path src\/pay\.ts#payments/);
  await screen.getByRole('button', { name: 'Why WEB-1?' }).click();
  expect(onTest).toHaveBeenCalledOnce();
});

const tested = some<OwnershipTested>({
  issue: { id: '2', shortId: 'WEB-2' },
  assignee: owned.owner,
  url: 'https://example.com/pay',
  paths: ['src/pay.ts'],
  rules: [
    { source: 'rule', line: 3, text: 'path:src/* #payments', why: 'path src/pay.ts', decides: true, unknown: [] },
    { source: 'codeowners', line: 1, text: '* @acme', why: 'path src/pay.ts', decides: false, unknown: ['@acme'] },
  ],
});

test('which rules match, which decides, and who is no member', async () => {
  const screen = await renderInApp(<Tested tested={tested} onClose={() => undefined} />);
  await expect.element(screen.getByText(/is assigned to/)).toHaveTextContent('WEB-2 is assigned to #payments.');
  const [rule, codeowners] = screen.getByRole('listitem').elements();
  expect(rule?.textContent).toContain('decides');
  expect(codeowners?.textContent).toMatch(/CODEOWNERS, line 1, matched path src\/pay\.ts.*no member: @acme/);
});

test('rows of long words have room on a phone', async () => {
  await renderInApp(
    <>
      <DataList label="Issues">
        <PreviewRow issue={{ ...owned, title: hostileText, why: hostileText }} onTest={() => undefined} />
      </DataList>
      <Tested tested={{ ...tested, paths: ['x'.repeat(500)] }} onClose={() => undefined} />
    </>,
  );
  await expectToFitNarrow();
});

import { expect, test } from 'vitest';
import type { SharedIssueAnswer } from '../../features/triage/shared-issue.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { SharedIssue } from './SharedIssuePage.tsx';

const least = some<SharedIssueAnswer>({
  shortId: 'WEB-1',
  title: 'TypeError: no price',
  culprit: null,
  level: 'error',
  status: 'ignored',
  isUnhandled: false,
  count: '1204',
  estimated: null,
  userCount: 3,
  firstSeen: '2026-11-24T10:00:00Z',
  lastSeen: '2026-11-25T10:00:00Z',
  project: { name: 'Web' },
  latestEvent: null,
});

test('an issue without events has its counts', async () => {
  const screen = await renderInApp(<SharedIssue issue={least} />);
  await expect.element(screen.getByText('archived')).toBeVisible();
  await expect.element(screen.getByText('1,204')).toBeVisible();
  await expect.element(screen.getByText('No event of this issue is stored. The counts are kept.')).toBeVisible();
});

test('texts of any length fit', async () => {
  const hostile = some<SharedIssueAnswer>({
    ...least,
    title: hostileText,
    culprit: hostileText,
    latestEvent: {
      eventID: 'a'.repeat(32),
      platform: 'node',
      release: hostileText,
      environment: hostileText,
      entries: [{ type: 'message', data: { formatted: `${hostileText} whole` } }],
    },
  });
  await renderInApp(<SharedIssue issue={hostile} />);
  await expectToFitNarrow();
});

import { expect, test } from 'vitest';
import { FeedbackOfIssueRow } from '../../features/feedback/FeedbackOfIssue.tsx';
import type { Feedback, FeedbackDetail } from '../../features/feedback/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { FeedbackFacts } from './FeedbackDetails.tsx';
import { FeedbackRow } from './FeedbackRow.tsx';

const least = some<Feedback>({
  id: '1',
  name: null,
  email: null,
  user: null,
  message: 'It broke',
  status: 'open',
  issue: null,
  project: { id: '1', slug: 'web', name: 'Web' },
  dateCreated: '2026-11-25T10:00:00Z',
});
const everything = { ...least, id: '2', name: 'Ada', issue: { shortId: 'WEB-1', title: 'TypeError' } } as Feedback;

test('who said what, when, and of which issue; who is not known is anonymous', async () => {
  const screen = await renderInApp(
    <DataList label="Feedback" open>
      <FeedbackRow feedback={everything} current showProject />
      <FeedbackRow feedback={least} current={false} showProject={false} />
    </DataList>,
  );
  const link = screen.getByRole('link', { name: 'Ada' });
  await expect.element(link).toHaveAttribute('aria-current', 'true');
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).toMatch(/^AdaIt broke.+WEB-1Web$/);
  expect(second?.textContent).toMatch(/^AnonymousIt broke/);
});

const detail = some<FeedbackDetail>({
  ...everything,
  eventId: 'a'.repeat(32),
  email: 'ada@example.com',
  user: 'id:7',
  url: 'https://shop.example.com/cart',
  traceId: 'b'.repeat(32),
  release: 'shop@2.0.0',
  environment: 'production',
  browser: 'Chrome 142',
  os: 'iOS 18.1',
  tags: [{ key: 'plan', value: 'pro' }],
  attachments: [],
});

test('only what leads to a page is a link', async () => {
  const screen = await renderInApp(
    <>
      <FeedbackFacts feedback={detail} />
      <FeedbackFacts feedback={{ ...detail, url: 'javascript:alert(1)' } as FeedbackDetail} />
    </>,
  );
  expect(screen.getByRole('link', { name: 'https://shop.example.com/cart' }).elements()).toHaveLength(1);
  expect(screen.getByText('javascript:alert(1)').elements()[0]?.closest('a')).toBeNull();
});

test('texts of any length fit', async () => {
  const hostile = { ...everything, name: hostileText, message: hostileText, project: { name: hostileText } };
  await renderInApp(
    <>
      <DataList label="Feedback" open>
        <FeedbackRow feedback={hostile as Feedback} current={false} showProject />
        <FeedbackOfIssueRow feedback={hostile as Feedback} />
      </DataList>
      <FeedbackFacts
        feedback={some<FeedbackDetail>({
          ...detail,
          issue: { shortId: 'WEB-1', title: hostileText },
          url: `https://shop.example.com/${hostileText}`,
          email: hostileText,
          release: hostileText,
          tags: [{ key: hostileText, value: hostileText }],
        })}
      />
    </>,
  );
  await expectToFitNarrow();
});

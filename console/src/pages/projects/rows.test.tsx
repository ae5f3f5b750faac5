import { expect, test } from 'vitest';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { ProjectRow } from './ProjectRow.tsx';

const least = {
  slug: 'web',
  name: 'Web',
  isInternal: false,
  platform: null,
  dateCreated: '2026-11-25T10:00:00Z',
  firstEvent: null,
  firstTransactionEvent: false,
};

test('a project leads to its issues, its settings, and to its setup while nothing has arrived', async () => {
  const screen = await renderInApp(
    <DataList label="Projects">
      <ProjectRow project={least} />
      <ProjectRow
        project={{
          ...least,
          slug: 'culprit',
          name: 'Culprit',
          isInternal: true,
          platform: 'node',
          firstEvent: '2026-11-25T11:00:00Z',
        }}
      />
    </DataList>,
  );
  await expect.element(screen.getByRole('link', { name: 'Settings of Culprit' })).toBeVisible();
  expect(
    screen
      .getByRole('link')
      .elements()
      .map((link) => link.getAttribute('href')),
  ).toEqual([
    '/issues?project=web',
    '/projects/web/setup',
    '/projects/web/settings',
    '/issues?project=culprit',
    '/projects/culprit/settings',
  ]);
  expect(screen.getByRole('link', { name: 'waiting for the first event' }).elements()).toHaveLength(1);
  expect(screen.getByRole('listitem').elements()[1]?.textContent).toMatch(/errors of Culprit itself.*Node\.js/);
});

test('a project of long words has room on a phone', async () => {
  await renderInApp(
    <DataList label="Projects">
      <ProjectRow project={{ ...least, name: hostileText, platform: hostileText }} />
      <ProjectRow project={least} />
    </DataList>,
  );
  await expectToFitNarrow();
});

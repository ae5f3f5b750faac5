import { expect, test, vi } from 'vitest';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { MappingRow } from './MappingRow.tsx';
import { RepositoryRow } from './RepositoryRow.tsx';

const nothing = { url: null, defaultBranch: null, configured: false };
const mapping = { stackRoot: '', sourceRoot: '', projectSlug: 'web', repoName: 'acme/shop', defaultBranch: null };
const idle = { onEdit: () => undefined, onDelete: () => undefined };

test('a repository that is only known from commits is set up, another one edited', async () => {
  const onEdit = vi.fn();
  const screen = await renderInApp(
    <DataList label="Repositories">
      <RepositoryRow repository={{ name: 'acme/old', ...nothing }} onEdit={onEdit} onDelete={() => undefined} />
      <RepositoryRow
        repository={{ name: 'acme/shop', url: 'https://github.com/acme/shop', defaultBranch: 'main', configured: true }}
        {...idle}
      />
    </DataList>,
  );
  const [old, shop] = screen.getByRole('listitem').elements();
  expect(old?.textContent).toMatch(/acme\/old from commits.*Set up/);
  expect(shop?.textContent).toMatch(/github\.com\/acme\/shopbranch main.*Edit/);
  await screen.getByRole('button', { name: 'Edit acme/old' }).click();
  expect(onEdit).toHaveBeenCalledOnce();
});

test('a mapping of any path says so', async () => {
  const screen = await renderInApp(
    <DataList label="Mappings">
      <MappingRow mapping={mapping} deleting={false} {...idle} />
      <MappingRow
        mapping={{ ...mapping, stackRoot: '../src/', sourceRoot: 'app/', defaultBranch: 'main' }}
        deleting={false}
        {...idle}
      />
    </DataList>,
  );
  const [any, src] = screen.getByRole('listitem').elements();
  expect(any?.textContent).toMatch(/\(any path\)\(root\)web in acme\/shop/);
  expect(src?.textContent).toMatch(/\.\.\/src\/app\/.*branch main/);
  await expect.element(screen.getByRole('button', { name: 'Delete the mapping of ../src/' })).toBeEnabled();
});

test('rows of long words have room on a phone', async () => {
  await renderInApp(
    <DataList label="Rows">
      <RepositoryRow repository={{ name: hostileText, ...nothing, url: `https://${'x'.repeat(300)}` }} {...idle} />
      <MappingRow
        mapping={{ ...mapping, stackRoot: `/${'x'.repeat(300)}/`, sourceRoot: hostileText }}
        deleting={false}
        {...idle}
      />
    </DataList>,
  );
  await expectToFitNarrow();
});

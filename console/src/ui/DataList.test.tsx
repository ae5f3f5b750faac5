import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from './Button.tsx';
import { Chip, Chips } from './Chip.tsx';
import { DataList, DataRow } from './DataList.tsx';
import { Cell, DataTable, HeadCell, RowHead } from './DataTable.tsx';
import { Disclosure } from './Disclosure.tsx';
import { rowLinkClass } from './row-link.ts';
import { Facts } from './Text.tsx';
import { SearchInput } from './Toolbar.tsx';

test('a row leads where its link leads, but for what can be pressed in it', async () => {
  const [follow, press] = [vi.fn(), vi.fn()];
  const screen = await render(
    <DataList label="Rules">
      <DataRow
        title={
          <a
            href="#rule"
            className={rowLinkClass}
            onClick={(event) => {
              event.preventDefault();
              follow();
            }}
          >
            Errors of checkout
          </a>
        }
        facts={
          <Facts>
            shop
            {false}
            every hour
          </Facts>
        }
        actions={<Button onClick={press}>Mute</Button>}
      />
    </DataList>,
  );
  const row = screen.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await expect.element(row).toHaveTextContent('shopevery hour');
  await row.click({ position: { x: 300, y: 40 } });
  expect(follow).toHaveBeenCalledOnce();
  await screen.getByRole('button', { name: 'Mute' }).click();
  expect([follow.mock.calls.length, press.mock.calls.length]).toEqual([1, 1]);
});

test('what a disclosure unfolds is named to readers', async () => {
  const onToggle = vi.fn();
  const screen = await render(
    <Disclosure open={false} controls="more" onToggle={onToggle}>
      Payments
    </Disclosure>,
  );
  const button = screen.getByRole('button', { name: 'Payments', expanded: false });
  await userEvent.tab();
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onToggle).toHaveBeenCalledOnce();
});

test('a table leaves columns out where there is no room, or stacks them', async () => {
  const rows = (stacked: boolean) => (
    <DataTable
      label="Transactions"
      stacked={stacked}
      head={
        <>
          <HeadCell main>Transaction</HeadCell>
          <HeadCell number hide={stacked ? undefined : 'narrow'} sort="descending">
            Duration
          </HeadCell>
        </>
      }
    >
      <tr>
        <RowHead>GET /product</RowHead>
        <Cell number hide={stacked ? undefined : 'narrow'} label="Duration">
          320 ms
        </Cell>
      </tr>
    </DataTable>
  );
  await page.viewport(1000, 700);
  const screen = await render(rows(false));
  await expect
    .element(screen.getByRole('columnheader', { name: 'Duration' }))
    .toHaveAttribute('aria-sort', 'descending');
  await expect.element(screen.getByText('320 ms')).toBeVisible();
  await page.viewport(390, 700);
  await expect.element(screen.getByText('320 ms')).not.toBeVisible();
  await screen.rerender(rows(true));
  await expect.element(screen.getByText('320 ms')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test('chips are a list of buttons', async () => {
  const onClick = vi.fn();
  const screen = await render(
    <Chips label="Filters">
      <Chip name="level" removes aria-label="Remove level error" onClick={onClick}>
        error
      </Chip>
    </Chips>,
  );
  await screen.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'Remove level error' }).click();
  expect(onClick).toHaveBeenCalledOnce();
});

test('a table’s head stays while the page scrolls past it', async () => {
  await page.viewport(1000, 400);
  await render(
    <DataTable label="Traces" sticky head={<HeadCell>Trace</HeadCell>}>
      {Array.from({ length: 40 }, (_, row) => (
        <tr key={row}>
          <RowHead>Row {row}</RowHead>
        </tr>
      ))}
    </DataTable>,
  );
  document.documentElement.scrollTop = 600;
  const head = page.getByRole('columnheader', { name: 'Trace' });
  await expect.poll(() => head.element().getBoundingClientRect().top).toBe(0);
});

test('a search field hands on what is written when Enter is pressed', async () => {
  const onSearch = vi.fn();
  const screen = await render(<SearchInput label="Search traces" onSearch={onSearch} />);
  await screen.getByRole('searchbox', { name: 'Search traces' }).fill('  /cart ');
  expect(onSearch).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(onSearch).toHaveBeenCalledExactlyOnceWith('/cart');
});

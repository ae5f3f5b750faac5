import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { KeyValue, Pair } from './KeyValue.tsx';
import { Segments } from './Segments.tsx';
import { violations } from './testing/axe.ts';
import { SearchInput, Toolbar } from './Toolbar.tsx';

test('one of a few views is pressed, and another is chosen by pressing it', async () => {
  const onChange = vi.fn();
  const options = [
    ['24h', '24 h'],
    ['30d', '30 d'],
  ] as const;
  const screen = await render(<Segments label="Period" value="24h" options={options} onChange={onChange} />);
  const group = screen.getByRole('group', { name: 'Period' });
  await expect.element(group.getByRole('button', { name: '24 h', pressed: true })).toBeVisible();
  await group.getByRole('button', { name: '30 d', pressed: false }).click();
  expect(onChange).toHaveBeenCalledExactlyOnceWith('30d');
  expect(await violations()).toEqual([]);
});

test('names and values in a box keep from its edge; a bare bar has the edges of its panel', async () => {
  const screen = await render(
    <>
      <KeyValue label="Event" compact boxed>
        <Pair name="Browser">Chrome</Pair>
      </KeyValue>
      <Toolbar label="Tools" bare>
        <SearchInput label="Search" />
      </Toolbar>
    </>,
  );
  const left = (element: Element): number => element.getBoundingClientRect().left;
  const [list, name] = [screen.getByText('Browser').element().closest('dl'), screen.getByText('Browser').element()];
  expect(list && left(name) - left(list)).toBe(12);
  const bar = screen.getByRole('group', { name: 'Tools' });
  expect(left(screen.getByRole('searchbox').element().parentElement ?? document.body)).toBe(left(bar.element()));
});

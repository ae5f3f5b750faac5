import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { centreCurrent, tabClass } from './Tabs.tsx';
import { violations } from './testing/axe.ts';

const names = ['API tokens', 'Repositories', 'Members', 'Teams', 'Organisation', 'Security', 'Channels', 'Audit log'];

const tabs = (current: string) => (
  <div style={{ width: 320 }}>
    <nav ref={centreCurrent} aria-label="Settings" style={{ display: 'flex', overflowX: 'auto' }}>
      {names.map((name) => (
        <a key={name} href="#a" className={tabClass} aria-current={name === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  </div>
);

test.each(['API tokens', 'Organisation', 'Audit log'])(
  'more ways than there is room for are one row, which begins at %s',
  async (current) => {
    const screen = await render(tabs(current));
    const bar = screen.getByRole('navigation', { name: 'Settings' }).element();
    const tab = screen.getByRole('link', { name: current }).element().getBoundingClientRect();
    const { left, right, height } = bar.getBoundingClientRect();
    expect(bar.scrollWidth).toBeGreaterThan(bar.clientWidth);
    expect(height).toBe(tab.height);
    expect(tab.left).toBeGreaterThanOrEqual(left);
    expect(tab.right).toBeLessThanOrEqual(right);
    expect(await violations()).toEqual([]);
  },
);

/** The keys of lists (j, k, Enter) for rows whose links carry `data-row`. They begin at the row that is shown, if one is. */
import type { RefObject } from 'react';
import { useCommand } from './commands.ts';

export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const links = (): HTMLAnchorElement[] => [
    ...(list.current?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? []),
  ];
  const focused = (): number => links().indexOf(document.activeElement as HTMLAnchorElement);
  const move = (step: 1 | -1): void => {
    const all = links();
    const at = focused();
    const shown = all.findIndex((link) => link.ariaCurrent !== null);
    all[at < 0 ? Math.max(0, shown) : Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
  };
  useCommand('list.next', () => move(1));
  useCommand('list.previous', () => move(-1));
  useCommand('list.open', () => links()[focused()]?.click());
}

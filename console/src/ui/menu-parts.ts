import type { Menu as Base } from '@base-ui/react/menu';
import { createContext, useContext } from 'react';

export type MenuParts = Pick<typeof Base, 'Item' | 'LinkItem' | 'Group' | 'GroupLabel' | 'Separator'>;

/** Base UI's parts, handed down by the popup: what a menu consists of costs nothing before it is opened. */
export const MenuPartsContext = createContext<MenuParts | undefined>(undefined);

export function useMenuParts(): MenuParts {
  const parts = useContext(MenuPartsContext);
  if (!parts) throw new Error('items of a menu stand in a <Menu>');
  return parts;
}

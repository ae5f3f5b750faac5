import type { ReactElement, ReactNode } from 'react';
import { lazily } from './lazily.tsx';
import { useMenuParts } from './menu-parts.ts';
import { ItemContent, type ItemProps, menuStyles as styles } from './menu-item.tsx';
import { type TriggerProps, usePopup } from './use-popup.ts';

const Popup = lazily(async () => (await import('./MenuPopup.tsx')).MenuPopup);

/** A list of actions at a button. `renderTrigger` gets what opens it; the items are its children. */
export function Menu({
  renderTrigger,
  label,
  align = 'start',
  children,
}: {
  readonly renderTrigger: (props: TriggerProps) => ReactNode;
  readonly label: string;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}) {
  const { trigger, popup, isUsed } = usePopup('menu', Popup.preload);
  return (
    <>
      {renderTrigger(trigger)}
      {isUsed && (
        <Popup {...popup} label={label} align={align}>
          {children}
        </Popup>
      )}
    </>
  );
}

export function MenuItem({
  current,
  disabled = false,
  onSelect,
  ...content
}: ItemProps & { readonly disabled?: boolean; readonly onSelect: () => void }) {
  const { Item } = useMenuParts();
  return (
    <Item className={styles.item} disabled={disabled} aria-current={current ? 'true' : undefined} onClick={onSelect}>
      <ItemContent {...content} />
    </Item>
  );
}

/** An item that leads elsewhere; `link` is the router's link, without content. */
export function MenuLink({ link, current, ...content }: ItemProps & { readonly link: ReactElement }) {
  const { LinkItem } = useMenuParts();
  return (
    <LinkItem className={styles.item} closeOnClick aria-current={current ? 'true' : undefined} render={link}>
      <ItemContent {...content} />
    </LinkItem>
  );
}

/** Items under a heading. */
export function MenuGroup({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  const { Group, GroupLabel } = useMenuParts();
  return (
    <Group>
      <GroupLabel className={styles.title}>{title}</GroupLabel>
      {children}
    </Group>
  );
}

export function MenuRule() {
  const { Separator } = useMenuParts();
  return <Separator className={styles.rule} />;
}

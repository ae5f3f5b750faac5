import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../ui/Button.tsx';
import type { Icon } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/State.tsx';
import { type EmptyAction, emptyKinds, type EmptyRecord, type Words } from './empty.ts';

type Props<Values> = {
  readonly of: EmptyRecord<Values>;
  /** The page acts itself; without it the record's action is left out. */
  readonly onAct?: (() => void) | undefined;
  /** False for who may not do what the record offers. */
  readonly mayAct?: boolean;
  /** Between what it means and what to do: the filters to remove, a snippet. */
  readonly children?: ReactNode;
} & (unknown extends Values ? { readonly values?: undefined } : { readonly values: Values });

/** Why nothing is there, and what to do about it. */
export function Empty<Values>({ of, values, onAct, mayAct = true, children }: Props<Values>) {
  const { kind, icon: Icon = emptyKinds[kind], title, hint, action, isPage } = of;
  const said = (words: Words<Values>): ReactNode => (typeof words === 'function' ? words(values as Values) : words);
  const text = said(hint);
  return (
    <EmptyState level={isPage ? 1 : 2} title={said(title)} icon={<Icon size={24} />}>
      {text && <p>{text}</p>}
      {children}
      {mayAct && action && (action.to ?? onAct) && (
        <Action
          to={action.to}
          search={action.search && ((before) => action.search?.(before, values as Values) ?? {})}
          icon={action.icon}
          label={said(action.label)}
          variant={kind === 'nothing-yet' || kind === 'not-set-up' ? 'primary' : 'normal'}
          params={values}
          onAct={onAct}
        />
      )}
    </EmptyState>
  );
}

interface ActionProps {
  readonly to: EmptyAction<unknown>['to'];
  readonly search: ((before: never) => object) | undefined;
  readonly icon: Icon | undefined;
  readonly label: ReactNode;
  readonly variant: 'normal' | 'primary';
  readonly params: unknown;
  readonly onAct: (() => void) | undefined;
}

function Action({ to, search, icon: Icon, label, variant, params, onAct }: ActionProps) {
  const icon = Icon && <Icon size={14} aria-hidden="true" />;
  if (to === undefined)
    return (
      <Button variant={variant} icon={icon} onClick={onAct}>
        {label}
      </Button>
    );
  const place = { to, ...(params !== undefined && { params }), ...(search && { search }) } as LinkProps;
  return (
    <Link {...place} className={buttonClass(variant)}>
      {icon} {label}
    </Link>
  );
}

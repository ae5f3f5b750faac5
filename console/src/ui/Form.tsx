import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import * as m from '../messages/ui.ts';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import styles from './Form.module.css';
import { FormError } from './FormError.tsx';
import type { KitForm } from './use-form.ts';

/** The fields of `useForm`, what the server said to them, and its buttons. In a box unless it is `bare`. */
export function Form<T extends FieldValues>({
  form,
  submit,
  ready = true,
  bare = false,
  fixed = false,
  onCancel,
  actions,
  children,
}: {
  readonly form: KitForm<T>;
  /** What its button says. */
  readonly submit: string;
  /** False while something that is no field is missing. */
  readonly ready?: boolean;
  readonly bare?: boolean;
  /** For who may not change it: fields are read, and nothing can be sent. */
  readonly fixed?: boolean;
  readonly onCancel?: () => void;
  /** Further buttons, at the end. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  if (fixed) {
    return (
      <fieldset disabled className={cx(styles.fields, !bare && styles.boxed)}>
        {children}
      </fieldset>
    );
  }
  return (
    <form className={cx(styles.fields, !bare && styles.boxed)} noValidate={form.isPressable} onSubmit={form.submit}>
      {children}
      <FormError error={form.failure} />
      <div className={styles.row}>
        <Button
          type="submit"
          variant="primary"
          busy={form.isSaving}
          disabled={!ready || (!form.isPressable && !form.isValid)}
        >
          {submit}
        </Button>
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            {m.cancel}
          </Button>
        )}
        {actions}
      </div>
    </form>
  );
}

/** Fields side by side where there is room. */
export function FieldRow({ children }: { readonly children: ReactNode }) {
  return <div className={styles.fieldRow}>{children}</div>;
}

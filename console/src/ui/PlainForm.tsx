import type { ComponentProps } from 'react';

/**
 * A form of one or two fields of which nothing is asked: a search, a comment, two bounds. What is in them is in `values`, by
 * name. Where a field can be wrong, it is a `Form`.
 */
export function PlainForm({
  onSubmit,
  children,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: (values: FormData) => void }) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}

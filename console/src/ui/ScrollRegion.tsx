import type { ReactNode } from 'react';

/** What scrolls by itself must be reachable by keyboard (not every browser does that), and then needs a name. */
const reachable = { tabIndex: 0 };

export function ScrollRegion({
  label,
  as: Tag = 'section',
  className,
  children,
  ref,
}: {
  readonly label: string;
  /** `div` where a landmark of the same name is around it. */
  readonly as?: 'section' | 'pre' | 'div';
  readonly className?: string | undefined;
  readonly children: ReactNode;
  readonly ref?: React.Ref<HTMLElement>;
}) {
  if (Tag === 'div')
    return (
      <div ref={ref as React.Ref<HTMLDivElement>} role="group" className={className} aria-label={label} {...reachable}>
        {children}
      </div>
    );
  return Tag === 'pre' ? (
    <section ref={ref} className={className} aria-label={label} {...reachable}>
      <pre>{children}</pre>
    </section>
  ) : (
    <section ref={ref} className={className} aria-label={label} {...reachable}>
      {children}
    </section>
  );
}

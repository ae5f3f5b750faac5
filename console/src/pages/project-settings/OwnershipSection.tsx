import { Link } from '@tanstack/react-router';
import * as m from '../../messages/project-settings.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';

/** The way to the rules that assign issues. */
export function OwnershipSection({ slug }: { readonly slug: string }) {
  return (
    <Section
      title={m.ownership}
      note={m.ownershipNote}
      actions={
        <Link to="/projects/$slug/settings/ownership" params={{ slug }} className={buttonClass()}>
          {m.ownershipLink}
        </Link>
      }
    >
      {null}
    </Section>
  );
}

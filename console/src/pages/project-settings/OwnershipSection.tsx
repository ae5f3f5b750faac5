import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';

/** The way to the rules that say whose issues are. */
export function OwnershipSection({ slug }: { readonly slug: string }) {
  return (
    <Section
      title="Ownership"
      note="Who issues go to by themselves: rules by path, address and tag, and CODEOWNERS."
      actions={
        <Link to="/projects/$slug/settings/ownership" params={{ slug }} className={buttonClass()}>
          Rules and CODEOWNERS
        </Link>
      }
    >
      {null}
    </Section>
  );
}

import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { buttonClass } from '../ui/Button.tsx';
import { EmptyState } from '../ui/State.tsx';
import { useTitle } from '../ui/title.ts';

/** Of an address that no route has; it stands outside the shell, so it is a page of its own. */
export function UnknownPage() {
  return (
    <main>
      <NotFound />
    </main>
  );
}

export function NotFound() {
  useTitle('Not found');
  return (
    <EmptyState level={1} title="There is no page at this address" icon={<SearchX size={24} />}>
      <p>The link may be incomplete, or what it named was deleted or renamed.</p>
      <Link to="/issues" className={buttonClass()}>
        Go to issues
      </Link>
    </EmptyState>
  );
}

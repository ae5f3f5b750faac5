import { Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../ui/icons.ts';
import * as m from '../messages/app.ts';
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
  useTitle(m.notFoundTitle);
  return (
    <EmptyState level={1} title={m.notFound} icon={<NotFoundIcon size={24} />}>
      <p>{m.notFoundHint}</p>
      <Link to="/issues" className={buttonClass()}>
        {m.goToIssues}
      </Link>
    </EmptyState>
  );
}

import * as m from '../messages/app.ts';
import { lazily } from '../ui/lazily.tsx';
import { useTitle } from '../ui/title.ts';

/** Few get to see it: its code comes when they do. */
const NotFoundPage = lazily(async () => (await import('./NotFoundPage.tsx')).NotFoundPage);

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
  return <NotFoundPage />;
}

import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { lazily } from '../ui/lazily.tsx';
import { afterContent } from './content.ts';

const Failure = lazily(async () => (await import('./Failure.tsx')).Failure);
// By then it is there, whatever becomes of the connection.
afterContent(Failure.preload);

/** In the place of a page that could not be drawn; the rest of the console around it stays. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // Nothing is there yet that could stay: the whole page is the load-failure screen.
  if (!router.state.resolvedLocation) throw error;
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return <Failure error={error} retry={retry} />;
}

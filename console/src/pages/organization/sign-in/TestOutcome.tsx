import type { ProviderTest } from '../../../features/providers/queries.ts';
import { Notice } from '../../../ui/Notice.tsx';

/** What came of a test, in the server's words. */
export function TestOutcome({ result: { ok, detail } }: { readonly result: ProviderTest }) {
  return (
    <Notice tone={ok ? 'ok' : 'error'} says="status">
      {detail}
    </Notice>
  );
}

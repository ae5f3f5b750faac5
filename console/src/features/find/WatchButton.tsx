import { Bell, BellOff } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import type { Watch } from './queries.ts';
import { useWatch, type WatchRequest } from './use-watch.ts';

/** Watch, or stop watching, this digest. */
export function WatchButton({
  request,
  watch: current,
}: {
  readonly request: WatchRequest;
  readonly watch: Watch | null;
}) {
  const { watch, unwatch, busy } = useWatch();
  return current ? (
    <Button icon={<BellOff size={14} />} busy={busy} onClick={() => unwatch(current)}>
      Stop watching
    </Button>
  ) : (
    <Button variant="primary" icon={<Bell size={14} />} busy={busy} onClick={() => watch(request)}>
      Watch
    </Button>
  );
}

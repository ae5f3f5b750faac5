import { MuteIcon, NotifyIcon } from '../../ui/icons.ts';
import * as m from '../../messages/find.ts';
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
    <Button icon={<MuteIcon size={14} />} busy={busy} onClick={() => unwatch(current)}>
      {m.unwatch}
    </Button>
  ) : (
    <Button variant="primary" icon={<NotifyIcon size={14} />} busy={busy} onClick={() => watch(request)}>
      {m.watch}
    </Button>
  );
}

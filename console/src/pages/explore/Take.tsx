import { useMutation } from '@tanstack/react-query';
import { CurlIcon, DownloadIcon, LinkIcon } from '../../ui/icons.ts';
import { startExport, type DataExport } from '../../features/explore/export-queries.ts';
import { curlOf } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/explore.ts';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy.ts';
import { Menu, MenuGroup, MenuItem, MenuRule } from '../../ui/Menu.tsx';
import { describeError } from '../../ui/State.tsx';
import { toast } from '../../ui/toasts.ts';

/** What is shown, taken elsewhere: as a file, a link, or a call of the API. */
export function Take({
  search,
  onExport,
}: {
  readonly search: ExploreSearch;
  readonly onExport: (id: string) => void;
}) {
  const org = useOrg();
  const start = useMutation({
    mutationFn: (format: DataExport['format']) => startExport(org, format, search),
    onSuccess: ({ id }) => onExport(id),
    onError: (error) => toast(m.exportFailed({ reason: describeError(error).message }), { kind: 'failed' }),
  });
  return (
    <Menu
      label={m.exportLabel}
      align="end"
      renderTrigger={(props) => (
        <Button {...props} icon={<DownloadIcon size={14} />} busy={start.isPending}>
          {m.exportLabel}
        </Button>
      )}
    >
      <MenuGroup title={search.tab === 'samples' ? m.allSamples : m.allGroups}>
        <MenuItem icon={<DownloadIcon size={14} />} onSelect={() => start.mutate('csv')}>
          {m.csv}
        </MenuItem>
        <MenuItem icon={<DownloadIcon size={14} />} onSelect={() => start.mutate('jsonl')}>
          {m.jsonLines}
        </MenuItem>
      </MenuGroup>
      <MenuRule />
      <MenuItem icon={<LinkIcon size={14} />} onSelect={() => void copyText(location.href, m.linkCopied)}>
        {m.copyLink}
      </MenuItem>
      <MenuItem
        icon={<CurlIcon size={14} />}
        onSelect={() => void copyText(curlOf(search, org, location.origin), m.callCopied)}
      >
        {m.copyCall}
      </MenuItem>
    </Menu>
  );
}

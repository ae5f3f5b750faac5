import { useMutation } from '@tanstack/react-query';
import { CurlIcon, DownloadIcon, LinkIcon } from '../../ui/icons.ts';
import { startExport, type DataExport } from '../../features/explore/queries.ts';
import { curlOf } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { useOrg } from '../../features/session/organization.ts';
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
    onError: (error) => toast(`The export could not begin: ${describeError(error).message}`, { kind: 'failed' }),
  });
  return (
    <Menu
      label="Export"
      align="end"
      renderTrigger={(props) => (
        <Button {...props} icon={<DownloadIcon size={14} />} busy={start.isPending}>
          Export
        </Button>
      )}
    >
      <MenuGroup title={search.tab === 'samples' ? 'All samples' : 'All groups'}>
        <MenuItem icon={<DownloadIcon size={14} />} onSelect={() => start.mutate('csv')}>
          CSV
        </MenuItem>
        <MenuItem icon={<DownloadIcon size={14} />} onSelect={() => start.mutate('jsonl')}>
          JSON Lines
        </MenuItem>
      </MenuGroup>
      <MenuRule />
      <MenuItem icon={<LinkIcon size={14} />} onSelect={() => void copyText(location.href, 'Link copied')}>
        Copy link
      </MenuItem>
      <MenuItem
        icon={<CurlIcon size={14} />}
        onSelect={() => void copyText(curlOf(search, org, location.origin), 'API call copied')}
      >
        Copy as API call
      </MenuItem>
    </Menu>
  );
}

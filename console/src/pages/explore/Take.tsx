import { useMutation } from '@tanstack/react-query';
import { CurlIcon, DownloadIcon, LinkIcon } from '../../ui/icons.ts';
import { startExport, type DataExport } from '../../features/explore/queries.ts';
import { curlOf } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy.ts';
import { MenuButton, MenuList, menuStyles } from '../../ui/Menu.tsx';
import { Popover } from '../../ui/Popover.tsx';
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
    <Popover
      label="Export"
      align="end"
      renderTrigger={(props) => (
        <Button {...props} icon={<DownloadIcon size={14} />} busy={start.isPending}>
          Export
        </Button>
      )}
    >
      {(close) => {
        const act = (run: () => void) => () => {
          close();
          run();
        };
        return (
          <>
            <MenuList label={search.tab === 'samples' ? 'The samples as a file' : 'The groups as a file'}>
              <p className={menuStyles.title}>{search.tab === 'samples' ? 'All samples' : 'All groups'}</p>
              <MenuButton icon={<DownloadIcon size={14} />} onClick={act(() => start.mutate('csv'))}>
                CSV
              </MenuButton>
              <MenuButton icon={<DownloadIcon size={14} />} onClick={act(() => start.mutate('jsonl'))}>
                JSON Lines
              </MenuButton>
            </MenuList>
            <div className={menuStyles.rule} />
            <MenuList label="The question">
              <MenuButton
                icon={<LinkIcon size={14} />}
                onClick={act(() => void copyText(location.href, 'Link copied'))}
              >
                Copy link
              </MenuButton>
              <MenuButton
                icon={<CurlIcon size={14} />}
                onClick={act(() => void copyText(curlOf(search, org, location.origin), 'API call copied'))}
              >
                Copy as API call
              </MenuButton>
            </MenuList>
          </>
        );
      }}
    </Popover>
  );
}

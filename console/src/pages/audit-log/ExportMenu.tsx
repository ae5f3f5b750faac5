import { type AuditFilters, exportPath } from '../../features/audit/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/audit.ts';
import { Button } from '../../ui/Button.tsx';
import { DownloadIcon } from '../../ui/icons.ts';
import { Menu, MenuLink } from '../../ui/Menu.tsx';

/** What the filters find, as a file. */
export function ExportMenu({ filters }: { readonly filters: AuditFilters }) {
  const org = useOrg();
  const formats = [
    ['jsonl', m.exportJson],
    ['csv', m.exportCsv],
  ] as const;
  return (
    <Menu
      label={m.exportMenu}
      renderTrigger={(props) => (
        <Button size="small" icon={<DownloadIcon size={14} />} {...props}>
          {m.exportMenu}
        </Button>
      )}
    >
      {formats.map(([format, label]) => (
        <MenuLink key={format} link={<a href={exportPath(org, filters, format)} download aria-label={label} />}>
          {label}
        </MenuLink>
      ))}
    </Menu>
  );
}

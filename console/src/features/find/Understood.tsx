import * as m from '../../messages/find.ts';
import { lasting } from '../filters/filters.ts';
import { rangeLabel } from '../filters/range-words.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import { localMinute } from '../../ui/relative-time.ts';
import type { FindScope, Understood as Part } from './queries.ts';

/** What was recognised in the text, and where it is searched; each part can be removed. */
export function Understood({
  parts,
  scope,
  onRemove,
  onScope,
}: {
  readonly parts: readonly Part[];
  readonly scope: FindScope;
  readonly onRemove: (part: Part) => void;
  readonly onScope: (scope: FindScope) => void;
}) {
  const isTimed = scope.range !== undefined || scope.start !== undefined;
  if (parts.length === 0 && !isTimed && !scope.project) return null;
  const chip = (name: string, value: string, key: string, onClick: () => void) => (
    <Chip key={key} name={name} removes aria-label={m.removePart({ name, value })} onClick={onClick}>
      <span translate="no">{value}</span>
    </Chip>
  );
  return (
    <Chips label={m.understood}>
      {parts.map((part) => chip(m.parts[part.kind], part.value, `${part.kind}-${part.start}`, () => onRemove(part)))}
      {isTimed && chip(m.parts.time, whenLabel(scope), 'time', () => onScope({ ...scope, ...lasting() }))}
      {scope.project &&
        chip(m.parts.project, scope.project, 'project', () => onScope({ ...scope, project: undefined }))}
    </Chips>
  );
}

function whenLabel(scope: FindScope): string {
  const { start, end } = scope;
  if (!start || !end) return rangeLabel(scope);
  const middle = (Date.parse(start) + Date.parse(end)) / 2;
  const isAnHourAround = Date.parse(end) - Date.parse(start) === 7_200_000;
  return isAnHourAround ? m.hourAround({ time: localMinute(middle) }) : rangeLabel(scope);
}

/** The form of the detectors' settings: texts as they are typed, what is wrong with them, and what a change of them says. Pure. */
import type { Schemas } from '../../api/client.ts';
import * as m from '../../messages/detector-settings.ts';
import { withUnit } from '../../ui/numbers.ts';

export type Detector = Schemas['PerformanceDetector'];
export type DetectorField = Detector['fields'][number];

/** By detector and field; numbers as they are typed, in the unit that people read. */
export interface Draft {
  readonly enabled: boolean;
  readonly fields: Readonly<Record<string, string>>;
}
export type Drafts = Readonly<Record<string, Draft>>;

type Values = Readonly<Record<string, number | boolean>>;
/** As the project has them. */
export type Settings = Readonly<Record<string, Values>>;

/** What one of the shown unit is in the stored one, and what it is called. */
const units: Readonly<Record<DetectorField['unit'], { readonly scale: number; readonly name: string }>> = {
  ms: { scale: 1, name: 'ms' },
  bytes: { scale: 1000, name: 'kB' },
  share: { scale: 0.01, name: '%' },
  count: { scale: 1, name: '' },
  characters: { scale: 1, name: m.characters },
};

export const unitOf = ({ unit }: Pick<DetectorField, 'unit'>): string => units[unit].name;

/** Without what halves and tenths leave behind in binary. */
const tidy = (value: number): number => Number(value.toPrecision(12));

export const shownOf = (value: number, { unit }: Pick<DetectorField, 'unit'>): string =>
  String(tidy(value / units[unit].scale));

function valueOf(text: string, { unit }: Pick<DetectorField, 'unit'>): number {
  return /^\s*\d{1,12}(?:[.,]\d{1,6})?\s*$/.test(text)
    ? tidy(Number(text.trim().replace(',', '.')) * units[unit].scale)
    : Number.NaN;
}

export function draftsOf(detectors: readonly Detector[], settings: Settings): Drafts {
  return Object.fromEntries(
    detectors.map(({ name, fields }) => {
      const values = settings[name] ?? {};
      const texts = fields.map((field) => [field.key, shownOf(Number(values[field.key] ?? field.default), field)]);
      return [name, { enabled: values['enabled'] !== false, fields: Object.fromEntries(texts) }];
    }),
  );
}

/** What a new project has. */
export const defaultDrafts = (detectors: readonly Detector[]): Drafts => draftsOf(detectors, {});

/** What is wrong with what is typed for a field; undefined for nothing. */
export function troubleOf(text: string, field: DetectorField): string | undefined {
  const value = valueOf(text, field);
  const whole = field.unit === 'share' || Number.isInteger(value);
  if (whole && value >= field.least && value <= field.most) return undefined;
  const unit = unitOf(field);
  const most = shownOf(field.most, field);
  const range = {
    least: shownOf(field.least, field),
    most: unit === '' ? most : unit === '%' ? `${most}%` : withUnit(most, unit),
  };
  return field.unit === 'share' ? m.range(range) : m.wholeRange(range);
}

export const hasTrouble = (detectors: readonly Detector[], drafts: Drafts): boolean =>
  detectors.some(({ name, fields }) =>
    fields.some((field) => troubleOf(drafts[name]?.fields[field.key] ?? '', field) !== undefined),
  );

/** Only what differs from the settings; undefined where nothing does. Whatever is typed must be right. */
export function patchOf(detectors: readonly Detector[], drafts: Drafts, settings: Settings): Settings | undefined {
  const changed = detectors.flatMap(({ name, fields }) => {
    const draft = drafts[name];
    const before = draftsOf(detectors, settings)[name];
    if (!draft || !before) return [];
    const values: Record<string, number | boolean> = {};
    if (draft.enabled !== before.enabled) values['enabled'] = draft.enabled;
    for (const field of fields) {
      const text = draft.fields[field.key] ?? '';
      if (text !== before.fields[field.key]) values[field.key] = valueOf(text, field);
    }
    return Object.keys(values).length > 0 ? [[name, values] as const] : [];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/** What an attachment is, by its bytes rather than by what its sender says. */

export type AttachmentKind = 'image' | 'text' | 'json' | 'other';

const signatures: readonly { readonly type: string; readonly at: number; readonly bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: 'image/avif', at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69, 0x66] },
];

/** The type that a browser may draw it as; undefined for everything else, SVG too, which is a document with scripts. */
export function imageType(start: Uint8Array): string | undefined {
  return signatures.find(({ at, bytes }) => bytes.every((byte, index) => start[at + index] === byte))?.type;
}

/** By its name and declared type: for lists, where nobody has looked at the bytes yet. */
export function declaredKind(name: string, type: string): AttachmentKind {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (/^image\/(png|jpe?g|gif|webp|avif)$/.test(type) || /^(png|jpe?g|gif|webp|avif)$/.test(ending)) return 'image';
  if (/[/+]json$/.test(type) || ending === 'json') return 'json';
  if (type.startsWith('text/') || /^(txt|log|md|csv|ya?ml|xml|ini|conf)$/.test(ending)) return 'text';
  return 'other';
}

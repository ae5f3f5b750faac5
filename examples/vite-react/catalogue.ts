/** What the shop sells, as it came from the wholesaler: not everything has a price yet. */
type Row = readonly [name: string, price?: number];

const catalogue = new Map<string, readonly Row[]>([
  [
    'tea',
    [
      ['Sencha (Japan)', 12.5],
      ['House blend', 7.2],
    ],
  ],
  ['new', [['Bancha (Japan)', 9], ['Gyokuro (Japan)']]],
]);

/** Throws for a category that the wholesaler has dropped. */
export function productsOf(category: string): readonly object[] {
  const rows = catalogue.get(category);
  if (!rows) throw new Error(`no price list for ${category}`);
  return rows.map(([name, price], index) => ({ id: index + 1, name, price }));
}

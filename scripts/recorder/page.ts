/// <reference lib="dom" />
/** What every recorded page does around its scenario. */

/** Runs a scenario by name and gives handlers of errors and rejections their turn. */
export async function runScenario(name: string, scenarios: Readonly<Record<string, () => unknown>>): Promise<void> {
  const run = scenarios[name];
  if (!run) throw new Error(`this page has no scenario "${name}"`);
  await run();
  await new Promise((done) => setTimeout(done, 200));
}

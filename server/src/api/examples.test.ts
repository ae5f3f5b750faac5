/** Each operation has an example that its own schemas accept; none tells of the machine that it was recorded on. */
import { expect, test } from 'vitest';
import { endpoints } from './endpoints.ts';
import { documentWithExamples, readExamples } from './examples.ts';
import { Problem } from './shared/schemas.ts';

const examples = await readExamples();
const byId = new Map(examples.map((one) => [one.id, one]));

test('every operation has one, and nothing else does', () => {
  expect(examples.map(({ id }) => id)).toEqual(endpoints.map(({ id }) => id).toSorted());
});

test('requests and responses are valid against the schemas of their operation', () => {
  const wrong = endpoints.flatMap((endpoint) => {
    const example = byId.get(endpoint.id);
    if (!example) return [];
    const { request, response, query, params, status } = example;
    const checks = [
      ['params', endpoint.params, params ?? {}],
      ['query', endpoint.query, query ?? {}],
      ['request', status < 300 ? endpoint.body : undefined, request],
      ['response', status < 300 ? endpoint.response : Problem, response],
    ] as const;
    return checks.flatMap(([what, schema, value]) => {
      const checked = schema?.safeParse(value);
      return checked && !checked.success ? [`${endpoint.id}: ${what}: ${checked.error.message.slice(0, 300)}`] : [];
    });
  });
  expect(wrong).toEqual([]);
});

test('what cannot succeed alone is shown as it is refused; this list may only shrink', () => {
  const refused = `authorizeOAuthClient compareMirror confirmEmail decideOAuthDevice deleteAccount
    getOAuthAuthorization getOAuthDevice postSetup readSamlMetadata recoverAccount requestEmail requestPasswordReset
    resetPassword uploadDebugFiles`;
  expect(examples.filter(({ status }) => status >= 300).map(({ id }) => id)).toEqual(refused.split(/\s+/));
});

test('no token, path or address of the machine', async () => {
  const text = JSON.stringify(await documentWithExamples());
  const found = text.match(
    /sntry[su]_(?!example)[\w.+/=-]{8,}|\/(?:root|tmp|home|work)\/[\w/.-]*|(?:localhost|127\.0\.0\.1):\d{4,5}|BEGIN [A-Z ]*PRIVATE/g,
  );
  expect(found).toBeNull();
});

test('the document is as large as it must be', async () => {
  const sizes = examples.map((one) => JSON.stringify(one).length);
  expect(Math.max(...sizes)).toBeLessThan(12_000);
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(300_000);
  const document = (await documentWithExamples()) as { paths: Record<string, Record<string, object>> };
  const shown = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).filter((one) => JSON.stringify(one).includes('"recorded"')),
  );
  // Those with no body either way have none to show.
  expect(shown.length).toBeGreaterThan(300);
});

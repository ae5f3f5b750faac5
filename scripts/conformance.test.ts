import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const data = mkdtempSync(join(tmpdir(), 'culprit-cases-'));
afterAll(() => rmSync(data, { recursive: true }));

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const script = join(import.meta.dirname, 'conformance.ts');
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
}

describe('npm run conformance', () => {
  test('counts what passes and names what does not', () => {
    mkdirSync(join(data, 'search'));
    const cases = [
      {
        id: 'plain',
        query: 'level:error',
        expected: { terms: [{ key: 'level', kind: 'text', value: 'error' }] },
      },
      { id: 'wrong', query: 'level:error', expected: { terms: [] } },
    ];
    writeFileSync(join(data, 'search/few.json'), JSON.stringify({ cases }));
    const { status, stdout } = run('--data', data, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      sets: { 'search/few.json': { passed: 1, failed: 1, misses: [{ id: 'wrong', why: expect.any(String) }] } },
    });
  });

  test('tells cases of grouping by their shape, whatever the file is called', () => {
    mkdirSync(join(data, 'grouping/events'), { recursive: true });
    const input = { message: 'it failed', level: 'error' };
    const expected = { basis: 'message', stack_used: 'none' };
    writeFileSync(join(data, 'grouping/events/one.json'), JSON.stringify({ id: 'one', input, expected }));
    const rules = [{ matchers: [['level', 'error']], fingerprint: ['all'] }];
    const cases = [
      { id: 'rule', rules, input, expected: { event_fingerprint: ['all'], resolved: ['all'], title: 'it failed' } },
      {
        id: 'pair',
        expect: 'different',
        a: { event: 'one', patch: [] },
        b: { event: 'one', patch: [{ op: 'replace', path: '/message', value: 'it broke' }] },
      },
      { id: 'own', expect: 'same', a: input, b: { ...input, release: 'a@2' } },
    ];
    writeFileSync(join(data, 'grouping/more.json'), JSON.stringify({ cases }));
    const { sets } = JSON.parse(run('--data', join(data, 'grouping'), '--json').stdout) as { sets: unknown };
    expect(sets).toEqual({
      'grouping/events': { passed: 1, failed: 0, misses: [] },
      'grouping/events (frames)': { passed: 0, failed: 0, misses: [] },
      'grouping/events (parts)': { passed: 0, failed: 0, misses: [] },
      'grouping/more.json': { passed: 3, failed: 0, misses: [] },
    });
  });

  test('says what it needs, and which file it could not read', () => {
    expect(run().status).toBe(2);
    expect(run('--data', join(data, 'absent')).stderr).toContain('is no folder');
    writeFileSync(join(data, 'search/broken.json'), '{');
    const { status, stdout, stderr } = run('--data', join(data, 'search'));
    expect(status).toBe(1);
    expect(stderr).toContain('broken.json');
    expect(stdout).toContain('search/few.json: 1 of 2');
  });
});

import { expect, test } from 'vitest';
import { commonReason } from './common.ts';

const about = { email: 'ada.lovelace@analytical.example', names: ['Ada', 'Acme Ltd', 'Web Shop'] };

// Of those with eight characters or more that leaks have most often.
const leaked = `
12345678 123456789 password 1234567890 password1 qwertyuiop 1q2w3e4r 11111111 iloveyou 1qaz2wsx 123123123 qwerty123
987654321 1q2w3e4r5t passw0rd zaq12wsx 1234qwer sunshine princess football baseball superman qwer1234 asdfghjkl
trustno1 Password123 P@ssw0rd P@ssw0rd! Welcome1 Welcome2024! Admin@123 admin123 administrator letmein1 changeme
abcd1234 abc12345 12341234 88888888 00000000 147258369 computer michelle jennifer whatever starwars butterfly
dragon123 monkey12 master123 shadow12 Summer2025 Winter2025! password! pa$$word p4ssw0rd123 asdf1234 qazwsxedc
adminadmin testtest test1234 iloveyou2 fuckyou1 blink182 liverpool1 chocolate samsung1 internet 19841984 31121999
passwordpassword LETMEIN123 Qwerty!1 abcabcabc aaaaaaaa abababab zxcvbnm1 !@#$%^&*
`
  .trim()
  .split(/\s+/);

test.each(leaked)('%s is refused', (password) => {
  expect(commonReason(password, about)).toBeDefined();
});

test.each([
  'ada.lovelace',
  'lovelace1',
  'AdaLovelace!',
  'analytical1',
  'acme2026',
  'AcmeLtd123',
  'webshop!!',
  'culprit1',
  'Culprit2026!',
  'ada.lovelace@analytical.example',
])('%s is known to everybody', (password) => {
  expect(commonReason(password, about)).toBeDefined();
});

test.each([
  'correct horse',
  'correct horse battery',
  'Tr0ub4dor&3',
  'x7#kP2!q',
  'another battery',
  'ein langer Satz',
  'blue-teapot-41-sings',
  '4917630018273645',
  'Zebra crossing!',
  'пароль который длинный',
])('%s passes', (password) => {
  expect(commonReason(password, about)).toBeUndefined();
});

test('a long one is judged quickly', () => {
  const started = performance.now();
  for (const password of ['abc'.repeat(42), 'a'.repeat(127) + 'b', '1q'.repeat(64), '!'.repeat(60) + 'x'.repeat(60)])
    commonReason(password, about);
  expect(performance.now() - started).toBeLessThan(200);
});

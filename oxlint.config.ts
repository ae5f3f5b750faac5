import { defineConfig } from 'oxlint';
import { consoleRooms, doors, serverRooms } from './scripts/house.ts';
import { walls } from './scripts/walls.ts';

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'react', 'jsx-a11y', 'oxc'],
  categories: {
    correctness: 'error',
    suspicious: 'warn',
  },
  rules: {
    'import/no-cycle': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'no-console': 'off',
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'react/react-in-jsx-scope': 'off',
    'import/no-named-as-default-member': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
  },
  overrides: [
    ...walls('server/src', serverRooms, doors),
    ...walls('console/src', consoleRooms),
    {
      // Tests may bring what stands further up, to see a room at work.
      files: ['**/*.test.{ts,tsx}', '**/testing/**', '**/{testing,test-server}.ts', 'server/src/ports/*/contract.ts'],
      rules: { 'no-restricted-imports': 'off' },
    },
  ],
  ignorePatterns: ['console/dist', 'console/src/api/schema.d.ts', 'packages/client/src/schema.ts', 'fixtures'],
});

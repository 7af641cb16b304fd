import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';

/** The rules marked with a dagger in the house style; the import rules are in .dependency-cruiser.cjs. */
export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'bin', 'scripts', 'src/console/static', '**/*.mjs', '**/*.cjs'] },
  ...tseslint.configs.recommended,
  prettier,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-console': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      'max-params': ['error', 4],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Time comes from Clock.' },
        { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: 'Time comes from Clock.' },
        { selector: "CallExpression[callee.name='forwardRef']", message: 'No cycles and no forwardRef.' },
      ],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Only src/config reads the environment.' }],
    },
  },
  { files: ['src/config/**', 'src/main.ts', 'src/cli/**', 'crawler/main.ts', 'crawler/container/main.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['src/common/clock/**', 'crawler/**', 'src/cli/**'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['src/cli/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    files: ['test/**', '**/*.spec.ts', 'bench/**'],
    rules: { '@typescript-eslint/no-explicit-any': 'off', 'max-lines': 'off', 'max-lines-per-function': 'off', 'max-params': 'off', 'no-restricted-syntax': 'off', 'no-restricted-properties': 'off' },
  },
  // Constructors take up to seven injected dependencies (house style, section 10).
  { files: ['src/**/*.service.ts', 'src/**/*.controller.ts', 'src/**/*.ts', 'crawler/**'], rules: { 'max-params': ['error', 7] } },
);

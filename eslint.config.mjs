import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';

const CLOCK = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take the time from Clock: `new Date()` is not the database\'s time, and tests cannot set it.' },
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: 'Take the time from Clock: `Date.now()` is not the database\'s time, and tests cannot set it.' },
];
/** Bounds, not aims: ADR 0030. */
const SHAPE = [
  { selector: "CallExpression[callee.name='forwardRef']", message: 'Two providers need each other: give what they share to a third.' },
  { selector: "MethodDefinition[kind='constructor'] > FunctionExpression[params.length>10]", message: 'More than ten dependencies: this class has more than one idea. Cut it by idea, not by count (ADR 0030).' },
  { selector: ":matches(FunctionDeclaration, ArrowFunctionExpression, FunctionExpression)[params.length>5]:not(MethodDefinition[kind='constructor'] > FunctionExpression)", message: 'More than five parameters: give those that belong together a name, as one object.' },
];

/** The limits and bans of CONTRIBUTING.md, "Style"; who may import whom is in .dependency-cruiser.cjs. */
export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'web/src/api/schema.d.ts', 'bin', 'scripts', 'src/console/static', 'src/sign-in/finish.js', '**/*.mjs', '**/*.cjs'] },
  ...tseslint.configs.recommended,
  prettier,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-console': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', ...CLOCK, ...SHAPE],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Read settings from AppConfig: only src/config knows the environment.' }],
    },
  },
  { files: ['src/config/**', 'src/main.ts', 'src/cli/**', 'crawler/main.ts', 'crawler/container/main.ts'], rules: { 'no-restricted-properties': 'off' } },
  // Programs of their own and the clock itself: the machine's time is the one they mean.
  { files: ['src/common/clock/**', 'crawler/**', 'src/cli/**'], rules: { 'no-restricted-syntax': ['error', ...SHAPE] } },
  // The console runs in browsers: their clock is the one that people see.
  { files: ['web/**'], rules: { 'no-restricted-syntax': ['error', ...SHAPE], 'max-lines-per-function': ['error', { max: 120, skipComments: true, skipBlankLines: true }] } },
  { files: ['src/cli/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    files: ['test/**', '**/*.spec.ts', 'bench/**'],
    rules: { '@typescript-eslint/no-explicit-any': 'off', 'max-lines': 'off', 'max-lines-per-function': 'off', 'no-restricted-syntax': 'off', 'no-restricted-properties': 'off' },
  },
);

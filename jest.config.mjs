/** Jest runs the TypeScript sources as ES modules through swc; see CONTRIBUTING.md, "Tests". */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/crawler', '<rootDir>/formats', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // They need a real engine, which `npm test -- engines` brings up.
  testPathIgnorePatterns: process.env.MUNIMENT_TEST_DOCKER ? [] : ['<rootDir>/test/engines/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testTimeout: 300_000,
  // What the files leave in a worker adds up: on a machine with little memory it would end in the middle of one.
  workerIdleMemoryLimit: '1GB',
};

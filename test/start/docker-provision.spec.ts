import { loadScript } from './load.js';

const { baseImages } = await loadScript<{ baseImages: (dockerfile?: string) => string[] }>('provision/docker.mjs');
const { mirrorOf } = await loadScript<{ mirrorOf: (suite: string, texts: string[]) => string | undefined }>(
  'provision/docker-base.mjs',
);

describe('the base images of a Dockerfile', () => {
  it('are those that it does not make itself', () => {
    const text = 'FROM a:1 AS build\nRUN x\nFROM build AS more\nFROM b/c:2 AS runtime\nFROM a:1\n';
    expect(baseImages(text)).toEqual(['a:1', 'b/c:2']);
  });

  it('of ours can be made without a registry', () => {
    for (const name of baseImages()) expect(name).toMatch(/^node:\d+-[a-z]+-slim$/);
  });
});

describe('the mirror of a suite', () => {
  const lines = 'deb [arch=amd64 signed-by=/k.gpg] https://one.example/debian trixie main\n';
  const entries = [
    'Types: deb\nURIs: https://two.example/debian\nSuites: bookworm bookworm-updates\nComponents: main',
    'Types: deb\nURIs: https://two.example/security\nSuites: bookworm-security\nComponents: main',
  ].join('\n\n');

  it.each([
    ['trixie', 'https://one.example/debian'],
    ['bookworm', 'https://two.example/debian'],
    ['bookworm-security', 'https://two.example/security'],
    ['sid', undefined],
  ])('%s is read from either format of apt', (suite, mirror) => {
    expect(mirrorOf(suite, ['', lines, entries])).toBe(mirror);
  });
});

import { withoutFilePaths } from './without-file-paths.js';

describe('the text of an error, for those who use a service', () => {
  it.each([
    ["ENOENT: no such file or directory, open '/data/work/x/state.jsonl'", "ENOENT: no such file or directory, open '…/state.jsonl'"],
    ['spawn /usr/bin/chromium ENOENT', 'spawn …/chromium ENOENT'],
    ['chromium --user-data-dir=/home/me/archive/work/x/profile --mute-audio', 'chromium --user-data-dir=…/profile --mute-audio'],
    ['at file:///app/dist/main.js:1:2', 'at …/main.js:1:2'],
  ])('does not say where files lie: %s', (text, expected) => expect(withoutFilePaths(text)).toBe(expected)); // prettier-ignore

  it.each(['goto: net::ERR_FAILED at https://site.example/a/b?next=/c/d', '1/2 of it', 'a / b', ''])(
    'but all else: %s',
    (text) => expect(withoutFilePaths(text)).toBe(text),
  );
});

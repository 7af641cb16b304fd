import { isSlug, slugFrom } from './slug.js';

describe('the slug of a name', () => {
  it.each([
    ['Default org', 'default-org'],
    ["User's @ org", 'users-org'],
    ['Org with åccénted! charactêrs@!', 'org-with-accented-characters'],
    ['cATs! 🐈', 'cats'],
    ['非拉丁语系的测试名称', 'fei-la-ding-yu-xi-de-ce-shi-ming-cheng'],
    ['Test User’s Archive', 'test-users-archive'],
    ['A & B', 'a-b'],
    ['1,000 x', '1000-x'],
    ['foo_bar', 'foo-bar'],
    ['a&amp;b', 'a-b'],
    ['Straße', 'strasse'],
    ['***', ''],
  ])('of %s is %s', (name, slug) => {
    expect(slugFrom(name)).toBe(slug);
  });
});

describe('an explicit slug', () => {
  it.each(['My-Org_1', 'ürgö', '组织'])('may be %s', (slug) => expect(isSlug(slug)).toBe(true));
  it.each(['', 'a b', 'a/b', 'a.b', 'a@b'])('may not be "%s"', (slug) => expect(isSlug(slug)).toBe(false));
});

import { isCommon } from './new-passwords.js';

it.each([
  'password',
  'PassWord',
  'iloveyou',
  '1234567890',
  'Muniment2026!',
  'ann.smith-1',
  'crawlerAdmin1',
  'archive-archive',
])('%s is too common', (password) =>
  expect(isCommon(password, ['muniment', 'archive', 'crawler', 'admin', 'ann', 'smith'])).toBe(true),
);

it.each(['correct horse', '839201774612', 'annual report of trees', 'ümläüte sind auch da'])('%s is not', (password) =>
  expect(isCommon(password, ['muniment', 'ann'])).toBe(false),
);

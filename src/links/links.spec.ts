import { originOf } from './links.js';

it.each([
  ['0.0.0.0', 8000, 'http://127.0.0.1:8000'],
  ['::', 8000, 'http://[::1]:8000'],
  ['127.0.0.1', 41234, 'http://127.0.0.1:41234'],
  ['192.168.1.5', 80, 'http://192.168.1.5:80'],
  ['fd00::1', 80, 'http://[fd00::1]:80'],
])('a service that listens on %s port %d is reached at %s', (address, port, origin) => {
  expect(originOf({ address, port })).toBe(origin);
});

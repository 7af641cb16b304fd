import { deviceOf } from './device.js';

const MOZILLA = 'Mozilla/5.0';

it.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0`, 'Firefox 131, Linux'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36`,
    'Chrome 130, Windows',
  ],
  [
    `${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.2849.68`,
    'Edge 130, Windows',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 14_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
    'Safari 18, macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1`,
    'Safari 18, iOS',
  ],
  [
    `${MOZILLA} (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Chrome 130, Android',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['python-requests/2.32.3', 'python-requests/2.32.3'],
  [`${MOZILLA} (compatible)`, MOZILLA],
  ['', ''],
  [undefined, ''],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['x'.repeat(10_000), 'x'.repeat(60)],
  [`Firefox/${'9'.repeat(1000)}`, 'Firefox 999999'],
  ['\u202eevil', ''],
])('says of %j what it is', (header, device) => {
  expect(deviceOf(header)).toBe(device);
});

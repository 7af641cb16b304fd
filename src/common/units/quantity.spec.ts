import { quantityBytes, quantityMillis } from './quantity.js';

describe('a size as Kubernetes writes it', () => {
  it.each([
    ['25Gi', 25 * 1024 ** 3],
    ['75G', 75e9],
    ['1536Mi', 1536 * 1024 ** 2],
    ['1.5Ti', 1.5 * 1024 ** 4],
    ['2e10', 2e10],
    ['3E', 3e18],
    ['128', 128],
    ['1k', 1000],
  ])('%s has its bytes', (text, bytes) => {
    expect(quantityBytes(text)).toBe(bytes);
  });

  it.each(['', 'Gi', '1500m', '12 G', '-1G', '5Gb'])('%p is none', (text) => {
    expect(quantityBytes(text)).toBeNaN();
  });
});

describe('an amount of cores as Kubernetes writes it', () => {
  it.each([
    ['900m', 900],
    ['1', 1000],
    ['1.5', 1500],
    ['0.05', 50],
  ])('%s has its thousandths', (text, millis) => {
    expect(quantityMillis(text)).toBe(millis);
  });

  it.each(['', 'm', '1Gi', '-1', '1 m'])('%p is none', (text) => {
    expect(quantityMillis(text)).toBeNaN();
  });
});

import sharp from 'sharp';
import { encodeImage } from './thumbnail-image.js';

const picture = () => sharp({ create: { width: 8, height: 6, channels: 3, background: '#c33' } });

describe('a thumbnail', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('stays %s', async (format) => {
    const encoded = await encodeImage(await picture().toFormat(format).toBuffer());
    expect(encoded?.mime).toBe(`image/${format}`);
    const { width, height } = await sharp(encoded?.bytes).metadata();
    expect([width, height]).toEqual([8, 6]);
  });

  it('becomes PNG from another format', async () => {
    expect((await encodeImage(await picture().gif().toBuffer()))?.mime).toBe('image/png');
  });

  it('loses what is hidden in or behind the picture', async () => {
    const jpeg = await picture()
      .jpeg()
      .withExif({ IFD0: { Copyright: 'SECRET-OWNER' } })
      .toBuffer();
    const encoded = await encodeImage(Buffer.concat([jpeg, Buffer.from('<script>appended</script>')]));
    expect(encoded?.bytes.includes('SECRET-OWNER')).toBe(false);
    expect(encoded?.bytes.includes('appended')).toBe(false);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('not an image')],
    ['HTML', Buffer.from('<!doctype html><title>x</title>')],
    [
      'SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
    ],
    ['a PNG signature and nothing behind it', Buffer.from('89504e470d0a1a0a', 'hex')],
  ])('is refused when it is %s', async (_name, bytes) => {
    expect(await encodeImage(bytes)).toBeNull();
  });

  it('is refused when it is cut off', async () => {
    const png = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#123',
        noise: { type: 'gaussian', mean: 120, sigma: 40 },
      },
    })
      .png()
      .toBuffer();
    expect(await encodeImage(png.subarray(0, png.length / 2))).toBeNull();
  });
});

/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import sharp from 'sharp';

const TIMEOUT_MS = 20_000;
const THUMBNAIL = { width: 640, height: 360 };

/** Videos at their first frame, stopped: otherwise no two screenshots of the page are alike. */
export async function stillVideos(page: Page): Promise<void> {
  await Promise.all(
    page.frames().map((frame) =>
      frame
        .evaluate(() => {
          for (const video of document.querySelectorAll('video')) {
            video.pause();
            video.currentTime = 0;
          }
        })
        .catch(() => undefined),
    ),
  );
}

/** The viewport as PNG, with animations and the caret held still. */
export function viewScreenshot(page: Page): Promise<Buffer> {
  return page.screenshot({ type: 'png', animations: 'disabled', caret: 'hide', timeout: TIMEOUT_MS });
}

/** A 640x360 JPEG of a viewport screenshot. */
export function thumbnailOf(png: Buffer): Promise<Buffer> {
  return sharp(png)
    .resize({ ...THUMBNAIL, fit: 'cover', position: 'top' })
    .jpeg({ quality: 75 })
    .toBuffer();
}

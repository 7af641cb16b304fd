/// <reference lib="dom" />
import type { CDPSession, Page } from 'playwright-core';
import sharp from 'sharp';
import { withTimeout } from '../base/time.js';
import { inFrames } from './frames.js';

const TIMEOUT_MS = 20_000;
const STILL_TIMEOUT_MS = 5_000;
const THUMBNAIL = { width: 640, height: 360 };

/** Stops videos at their first frame, because otherwise no two screenshots of the page are alike. */
export async function stillVideos(page: Page): Promise<void> {
  await inFrames(page, stopVideos, undefined, STILL_TIMEOUT_MS);
}

/** Runs in the page. */
function stopVideos(): void {
  for (const video of document.querySelectorAll('video')) {
    video.pause();
    video.currentTime = 0;
  }
}

/**
 * Takes the viewport as PNG, with animations and the caret held still. If the fonts never load, the page is taken as it
 * is.
 */
export async function viewScreenshot(
  { page, session }: { page: Page; session: CDPSession },
  mostMs = TIMEOUT_MS,
): Promise<Buffer> {
  const timeout = Math.min(TIMEOUT_MS, mostMs) / 2;
  try {
    return await page.screenshot({ type: 'png', animations: 'disabled', caret: 'hide', timeout });
  } catch {
    const { data } = await withTimeout(
      session.send('Page.captureScreenshot', { format: 'png' }),
      timeout,
      'screenshot',
    );
    return Buffer.from(data, 'base64');
  }
}

/** Makes a 640x360 JPEG of a viewport screenshot. */
export function thumbnailOf(png: Buffer): Promise<Buffer> {
  return sharp(png)
    .resize({ ...THUMBNAIL, fit: 'cover', position: 'top' })
    .jpeg({ quality: 75 })
    .toBuffer();
}

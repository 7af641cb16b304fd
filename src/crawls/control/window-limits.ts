import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../common/validation/issue.js';
import { AppConfig } from '../../config/app-config.js';
import { WindowsOrScaleRequired } from '../crawls.errors.js';
import type { CrawlScale } from '../dto/crawls.dto.js';

/** The deployment's limits of browser windows. */
@Injectable()
export class WindowLimits {
  constructor(private readonly config: AppConfig) {}

  /** Number of containers that hold this many windows. */
  instancesFor(browserWindows: number): number {
    return Math.ceil(browserWindows / this.config.crawls.windowsPerInstance);
  }

  /**
   * The number of windows that a request asks for. Windows win over scale.
   * @throws WindowsOrScaleRequired, InputRefused 422
   */
  windowsOf({ browserWindows, scale }: CrawlScale): number {
    const { maxBrowserWindows, windowsPerInstance } = this.config.crawls;
    if (browserWindows) return inRange('browserWindows', browserWindows, maxBrowserWindows);
    if (!scale) throw new WindowsOrScaleRequired();
    return inRange('scale', scale, this.instancesFor(maxBrowserWindows)) * windowsPerInstance;
  }
}

function inRange(name: string, value: number, max: number): number {
  if (value > max)
    throw invalidInput(
      ['body', name],
      `Input should be less than or equal to ${String(max)}`,
      value,
      'less_than_equal',
    );
  return value;
}

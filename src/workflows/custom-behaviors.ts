import { Injectable } from '@nestjs/common';
import { GuardedClient } from '../common/http/guarded-client.js';
import { seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { GitRemote } from './git-remote.js';
import { parseCustomBehavior, type CustomBehavior } from './rules/custom-behavior.js';
import {
  CustomBehaviorBranchNotFound,
  CustomBehaviorNotFound,
  CustomBehaviorTimeout,
  GitNotInstalled,
  InvalidCustomBehavior,
} from './workflows.errors.js';
import { parseUrl } from '../common/text/parse-url.js';

const FETCH_TIMEOUT_MS = seconds(10);
const MAX_REDIRECTS = 5;

/** Checks whether custom behaviors can be fetched. Private addresses are refused unless crawls may reach them. */
@Injectable()
export class CustomBehaviors {
  constructor(
    private readonly client: GuardedClient,
    private readonly git: GitRemote,
    private readonly config: AppConfig,
  ) {}

  /**
   * Checks one address. Contract: crawling §4.10.
   * @throws InvalidCustomBehavior, CustomBehaviorNotFound, CustomBehaviorBranchNotFound, CustomBehaviorTimeout,
   *   GitNotInstalled
   */
  async validate(address: string): Promise<void> {
    const behavior = parseCustomBehavior(address);
    if (!behavior) throw new InvalidCustomBehavior();
    await (behavior.isGit ? this.validateGit(behavior) : this.validateUrl(address));
  }

  private async validateGit({ url, branch }: CustomBehavior): Promise<void> {
    const addresses = this.config.addresses.crawls;
    const found = await this.git.has(url, { addresses });
    if (found === 'no-git') throw new GitNotInstalled();
    if (found === 'timeout') throw new CustomBehaviorTimeout();
    if (found === 'no') throw new CustomBehaviorNotFound();
    if (!branch) return;
    const hasBranch = await this.git.has(url, { addresses, branch });
    if (hasBranch === 'timeout') throw new CustomBehaviorTimeout();
    if (hasBranch === 'no') throw new CustomBehaviorBranchNotFound();
  }

  private async validateUrl(address: string): Promise<void> {
    if (!parseUrl(address)) throw new CustomBehaviorNotFound();
    let url = new URL(address);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const { status, location } = await this.get(url);
      if (status >= 400) throw new CustomBehaviorNotFound();
      if (status < 300 || !location || !parseUrl(location, url.href)) return;
      url = new URL(location, url);
    }
    throw new CustomBehaviorNotFound();
  }

  private async get(url: URL): Promise<{ status: number; location: string | undefined }> {
    try {
      const { status, headers } = await this.client.send({
        method: 'GET',
        url: url.href,
        timeoutMs: FETCH_TIMEOUT_MS,
        keepBytes: 0,
        addresses: this.config.addresses.crawls,
      });
      const location = headers['location'];
      return { status, location: Array.isArray(location) ? location[0] : location };
    } catch (error) {
      // The caller learns the same for every address that cannot be reached, a refused one included.
      throw isTimeout(error) ? new CustomBehaviorTimeout() : new CustomBehaviorNotFound();
    }
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error as { code?: string }).code === 'UND_ERR_CONNECT_TIMEOUT');

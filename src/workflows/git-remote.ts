import { execFile } from 'node:child_process';
import { Injectable, Logger } from '@nestjs/common';
import type { AddressPolicy } from '../../formats/address/address-policy.js';
import { resolveChecked } from '../../formats/address/resolve.js';
import { AppConfig } from '../config/app-config.js';
import { seconds } from '../common/units/durations.js';
import { parseUrl } from '../common/text/parse-url.js';

const TIMEOUT_MS = seconds(30);
/**
 * Allowed schemes and their ports, all of which talk to a server. `file:` and helper programs (`ext::`) would reach
 * into this machine.
 */
const SCHEMES: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
/** The uid of `nobody` on every Linux. Git needs none of our rights. */
const UNPRIVILEGED_UID = 65_534;

export interface GitQuestion {
  /** A branch to look for. Without one, only the repository is looked for. */
  readonly branch?: string;
  readonly addresses: AddressPolicy;
}

type Answer = 'yes' | 'no' | 'timeout' | 'no-git';

const isUnknownName = (error: unknown): boolean =>
  ['ENOTFOUND', 'EAI_AGAIN'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Asks git servers what they have, through the git program. */
@Injectable()
export class GitRemote {
  private readonly logger = new Logger('workflows');

  constructor(private readonly config: AppConfig) {}

  /**
   * Asks for a repository or a branch. Whatever a server or an address does, this does not throw. Git gets the address
   * as our parser read it. An address that the two read differently (`http://a\@b/`) would be checked for one host and
   * fetched from the other.
   */
  async has(address: string, { branch, addresses }: GitQuestion): Promise<Answer> {
    const url = parseUrl(address);
    const port = url ? SCHEMES[url.protocol] : undefined;
    if (!url || port === undefined) return 'no';
    const options: string[] = [];
    if (!addresses.isOpen) {
      options.push('-c', 'http.followRedirects=false');
      try {
        options.push(...(await this.pin(url, port, addresses)));
      } catch (error) {
        // A name that only the proxy can resolve is not in our networks.
        if (!this.hasProxy || !isUnknownName(error)) return 'no';
      }
    }
    const wanted =
      branch === undefined
        ? ['--', url.href, 'HEAD']
        : ['--exit-code', '--heads', '--', url.href, `refs/heads/${branch}`];
    return this.run([...options, 'ls-remote', ...wanted]);
  }

  private get hasProxy(): boolean {
    return Object.keys(this.config.programs).some((name) => /^(?:https?|all)_proxy$/i.test(name));
  }

  /** Makes git connect to the very address that was checked. @throws AddressRefused */
  private async pin(url: URL, defaultPort: number, addresses: AddressPolicy): Promise<string[]> {
    const [found] = await resolveChecked(url.hostname, addresses);
    const target = found.family === 6 ? `[${found.address}]` : found.address;
    const port = url.port || String(defaultPort);
    return ['-c', `http.curloptResolve=${url.hostname}:${port}:${target}`];
  }

  private run(args: string[]): Promise<Answer> {
    const isRoot = process.getuid?.() === 0;
    const options = {
      // GIT_ALLOW_PROTOCOL also restricts the addresses to which a server refers git.
      env: {
        ...this.config.programs,
        GIT_TERMINAL_PROMPT: '0',
        GIT_ALLOW_PROTOCOL: 'http:https',
        HOME: '/nonexistent',
      },
      cwd: '/',
      timeout: TIMEOUT_MS,
      maxBuffer: 1024 * 1024,
      ...(isRoot ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {}),
    };
    return new Promise((resolve) => {
      execFile('git', args, options, (error) => {
        if (!error) return resolve('yes');
        // EACCES comes from a folder of the PATH that this user may not read. Git itself, if found, could be run.
        const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
        if (isMissing) this.logger.error({ event: 'git_missing', message: 'Custom behaviors need git: install it' });
        resolve(isMissing ? 'no-git' : error.killed ? 'timeout' : 'no');
      });
    });
  }
}

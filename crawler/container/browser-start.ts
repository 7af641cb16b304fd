import type { ProfileModeConfig } from '../protocol.js';
import {
  machineOf,
  missing,
  Options,
  profileOf,
  proxyOf,
  required,
  storeOf,
  type Variables,
} from './container-start.js';
import type { S3Target } from './s3-files.js';

/** Start options of a crawler container that shows a browser to a person (spec archive §8). */
export interface BrowserStart {
  readonly config: ProfileModeConfig;
  readonly s3: S3Target;
  /** Key of the profile to start from, below the storage prefix. */
  readonly profileKey?: string;
  /** Seconds after the last ping after which the browser ends by itself; 0: never. */
  readonly idleSeconds: number;
}

/** Reads the options after `create-login-profile`, and the environment. @throws UnusableArguments */
export function readBrowserStart(argv: string[], env: Variables): BrowserStart {
  const options = Options.of(argv);
  const profile = profileOf(options);
  return {
    config: {
      mode: 'profile',
      jobId: required(env, 'HOSTNAME'),
      ...machineOf(env),
      ...proxyOf(options),
      hasProfile: profile.profileKey !== undefined,
      url: options.text('url') ?? missing('--url'),
    },
    s3: storeOf(env),
    ...profile,
    idleSeconds: options.number('shutdownWait', 0),
  };
}

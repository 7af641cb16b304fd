import { fetch, type Response } from 'undici';
import { AddressPolicy } from './address-policy.js';
import { guardedAgent } from './guarded-agent.js';

const SETTINGS = { connectTimeoutMs: 10_000, connections: 16 };
const OPEN = guardedAgent(AddressPolicy.open, SETTINGS);
const GUARDED = guardedAgent(AddressPolicy.publicOnly, SETTINGS);

export interface StoredFileRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Whether an org named the storage and the deployment keeps such storages out of private networks. */
  readonly isGuarded: boolean;
}

/**
 * GET of an object by its presigned URL. Redirects are not followed: a redirect counts as a missing file. @throws the
 * transport's error, with AddressRefused as its cause where the address is private
 */
export function fetchStored(url: string, { isGuarded, ...options }: StoredFileRequest): Promise<Response> {
  return fetch(url, { ...options, redirect: 'manual', dispatcher: isGuarded ? GUARDED : OPEN });
}

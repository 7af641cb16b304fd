import { Agent, buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import { assertPermitted, checkedLookup, type ResolveName } from './resolve.js';

export interface AgentSettings {
  readonly connectTimeoutMs: number;
  /** Sockets to one host that are kept open between requests. */
  readonly connections: number;
  readonly resolve?: ResolveName;
}

/** An undici agent that connects only to addresses that the policy permits, for redirects too. */
export function guardedAgent(policy: AddressPolicy, settings: AgentSettings): Agent {
  const { connectTimeoutMs, connections, resolve } = settings;
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: checkedLookup(policy, resolve) });
  return new Agent({
    connections,
    connect: (options, callback) => {
      try {
        assertPermitted(options.hostname, policy);
      } catch (error) {
        return callback(error as Error, null);
      }
      connect(options, callback);
    },
  });
}

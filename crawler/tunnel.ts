import { errorText } from './base/time.js';
import { IpcChannel } from './channel/ipc-channel.js';
import { SshTunnel } from './guard/ssh-tunnel.js';
import { EXIT_CODES, type ProxyConfig } from './protocol.js';

/**
 * A separate program that opens a run's way to an ssh proxy. It runs as the service's user. The crawler's user has no
 * name, which ssh needs, and must not read the key.
 */
const channel = new IpcChannel();
let tunnel: SshTunnel | null = null;

async function open(rid: number, proxy: ProxyConfig): Promise<void> {
  try {
    tunnel = await SshTunnel.start(proxy);
    channel.send({ t: 'reply', rid, kind: 'tunnel', socksUrl: tunnel.socksUrl });
    await tunnel.ended;
  } catch (error) {
    channel.send({ t: 'reply', rid, kind: 'error', error: errorText(error) });
  }
  // The last message is still sent.
  await channel.close();
}

channel.onMessage((message) => {
  if (message.t === 'tunnel') void open(message.rid, message.proxy);
});
channel.onDisconnect(() => {
  tunnel?.close();
  process.exit(EXIT_CODES.proxy);
});

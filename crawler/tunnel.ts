import { errorText } from './base/time.js';
import { IpcChannel } from './channel/ipc-channel.js';
import { SshTunnel } from './guard/ssh-tunnel.js';
import { EXIT_CODES, type ProxyConfig } from './protocol.js';

/**
 * A run's way to a proxy that is reached by ssh, as a program of its own beside the crawler. The service starts it as
 * itself: the crawler's user has no name, without which ssh does not run, and must not read the key.
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
  // What was said last is still sent.
  await channel.close();
}

channel.onMessage((message) => {
  if (message.t === 'tunnel') void open(message.rid, message.proxy);
});
channel.onDisconnect(() => {
  tunnel?.close();
  process.exit(EXIT_CODES.proxy);
});

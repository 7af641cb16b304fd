import ipaddr from 'ipaddr.js';

/** @returns whether the text is an address, or a network such as `192.0.2.0/24` */
export const isNetwork = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

const networkOf = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

/** @param networks none: every address may */
export function isAllowed(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return networks.some((text) => {
    const [network, bits] = networkOf(text);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

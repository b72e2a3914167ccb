import { BlockList, isIP } from 'node:net';

/** The IPv4 networks that are not on the public Internet (IANA special-purpose registry, and multicast). */
const privateIpv4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Networks within 2000::/3 that are not public or contain an IPv4 address: Teredo, ORCHID, 6to4, documentation. */
const privateIpv6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const ipv4 = blockList('ipv4', privateIpv4);
const globalUnicast = blockList('ipv6', [['2000::', 3]]);
const ipv6 = blockList('ipv6', privateIpv6);

/**
 * True for an address that is reachable on the public Internet. Everything outside of the global unicast network of IPv6
 * is refused, which covers mapped IPv4 addresses, NAT64, link-local, unique local, site-local and multicast ones.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !ipv4.check(address, 'ipv4');
    case 6: // A zone such as fe80::1%eth0 belongs to a local network.
      return !address.includes('%') && globalUnicast.check(address, 'ipv6') && !ipv6.check(address, 'ipv6');
    default:
      return false;
  }
}

function blockList(
  family: 'ipv4' | 'ipv6',
  networks: readonly (readonly [network: string, bits: number])[],
): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

import { type NetworkProxy, startProxy } from '#test/support/servers/proxy.ts';

/** A place of the machine. The partner is the caller of the API. */
export type Host = 'partner' | 'api' | 'worker' | 'postgres' | 'temporal' | 'redis' | 'receiver';

/** The parts that talk to each other, the client first. */
const pairs = [
  ['partner', 'api'],
  ['api', 'postgres'],
  ['api', 'temporal'],
  ['api', 'redis'],
  ['worker', 'postgres'],
  ['worker', 'temporal'],
  ['worker', 'receiver'],
] as const satisfies [Host, Host][];

type NameOf<Pair> = Pair extends readonly [infer Client extends string, infer Server extends string]
  ? `${Client} and ${Server}`
  : never;
export type LinkName = NameOf<(typeof pairs)[number]>;
const nameOf = (client: Host, server: Host) => `${client} and ${server}` as LinkName;
export const linkNames = pairs.map(([client, server]) => nameOf(client, server));

export type Link = { name: LinkName; between: readonly Host[]; proxy: NetworkProxy };
export type Links = Record<LinkName, Link>;

/** Puts a proxy between every two parts that talk to each other. */
export async function startLinks(ports: Record<Exclude<Host, 'partner' | 'worker'>, number>): Promise<Links> {
  const links: Partial<Links> = {};
  for (const [client, server] of pairs) {
    const name = nameOf(client, server);
    links[name] = { name, between: [client, server], proxy: await startProxy(ports[server]) };
  }
  return links as Links;
}

export const linksOf = (links: Links, host: Host): Link[] =>
  Object.values(links).filter(({ between }) => between.includes(host));

/** The same URL, through the link. */
export function through(url: string, { proxy }: Link): string {
  const changed = new URL(url);
  changed.port = String(proxy.port);
  return changed.toString();
}

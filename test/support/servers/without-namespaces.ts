/**
 * The words of a command that runs a program of Node where the machine allows no namespaces. The command forbids them inside a user
 * namespace of its own. Where even that one is not allowed, nothing needs to be forbidden.
 */
export function withoutNamespaces(program: string): [command: string, ...words: string[]] {
  const run = 'exec "$0" "$1"';
  const forbidden = `echo 0 > /proc/sys/user/max_user_namespaces; ${run}`;
  const own = 'unshare --user --map-root-user';
  return [
    '/bin/sh',
    ...['-c', `${own} true && exec ${own} sh -c '${forbidden}' "$0" "$1" || ${run}`],
    ...[process.execPath, program],
  ];
}

export const noNamespacesLine = 'this machine allows no namespaces';

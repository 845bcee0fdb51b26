import type { Isolation } from '#platform/isolated/isolation.ts';

const watch = new URL('./asks-for-no-network.ts', import.meta.url);
const withErrors = 'errors=$0; exec "$@" 2>>"$errors"';

/**
 * The same isolation, in which a program ends without an answer as soon as it asks for the network. What it says besides its answer is added
 * to a file.
 */
export const watched = ({ wrapper, namespaces }: Isolation, errors: string): Isolation => ({
  namespaces,
  wrapper: [
    ...['/bin/sh', '-c', withErrors, errors],
    ...wrapper,
    ...['env', `NODE_OPTIONS=--import=${watch.href}`],
  ],
});

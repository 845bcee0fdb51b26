import { parse } from 'pg-connection-string';
import { exitCodes, StartFault } from '#platform/failures.ts';

/**
 * Returns what DATABASE_URL says about TLS (`sslmode`, `sslrootcert`, `sslcert`, `sslkey`), as options of the driver. Undefined if it says
 * nothing, and then PGSSLMODE counts. The ORM itself reads only host, user, password and database of the URL.
 */
export function tlsOf(databaseUrl: string) {
  try {
    const { ssl } = parse(databaseUrl);
    return ssl === undefined ? undefined : (ssl as boolean | object);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StartFault('A file that DATABASE_URL names for TLS cannot be read.', exitCodes.config);
  }
}

import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { dayMs } from '#contract/time.ts';
import { cannotCreate, prepareDataDir } from './data-dir.ts';

const folder = 'listen-ca';

/**
 * Returns the certificate authority of `npm run listen`, and creates it at the first call. Only the product on this data
 * directory trusts it.
 */
export async function ensureListenCa(dataDir: string): Promise<{ certFile: string; cert: string }> {
  const certFile = join(dataDir, folder, 'ca.pem');
  if (!existsSync(certFile)) await makeCa(dataDir);
  return { certFile, cert: readFileSync(certFile, 'utf8') };
}

/**
 * Issues a server certificate for these host names and addresses, valid for 30 days. The certificate authority of `npm run
 * listen` signs it.
 */
export async function issueServerCertificate(
  dataDir: string,
  hosts: string[],
): Promise<{ cert: string; key: string }> {
  const { cert: caCert } = await ensureListenCa(dataDir);
  const caKey = readFileSync(join(dataDir, folder, 'ca.key'), 'utf8');
  const made = await generate([{ name: 'commonName', value: hosts[0] ?? 'localhost' }], {
    ...keys,
    ...validity(30),
    ca: { cert: caCert, key: caKey },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host })),
      },
    ],
  });
  return { cert: made.cert, key: made.private };
}

const keys = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** A certificate is valid from yesterday, because clocks differ. */
const validity = (days: number) => ({
  notBeforeDate: new Date(Date.now() - dayMs),
  notAfterDate: new Date(Date.now() + days * dayMs),
});

/**
 * Creates the key and the certificate together or not at all. If two processes do so at once, only the files of the first process
 * are kept.
 */
async function makeCa(dataDir: string): Promise<void> {
  const made = await generate([{ name: 'commonName', value: 'verification-service listen' }], {
    ...keys,
    ...validity(3650),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  try {
    prepareDataDir(dataDir);
    const draft = await mkdtemp(join(dataDir, `${folder}.making-`));
    await writeFile(join(draft, 'ca.key'), made.private, { mode: 0o600 });
    await writeFile(join(draft, 'ca.pem'), made.cert, { mode: 0o644 });
    moveUnlessThere(draft, join(dataDir, folder));
  } catch (error) {
    throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
}

function moveUnlessThere(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(join(target, 'ca.pem'))) throw error;
  }
}

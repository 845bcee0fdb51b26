import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { revised } from './changes.ts';

/** Signs papers with openssl, by an authority that lives for one test. */
export type Authority = { anchor: Buffer; signed(file: Buffer): Buffer; end(): void };

const room = 12_000;

export function authority(name: string): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'papers-'));
  const at = (file: string) => join(folder, file);
  const run = (...words: string[]) =>
    execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '3650', '-subj', `/CN=${name}`);
  run('req', ...key, '-keyout', 'signer.key', '-out', 'signer.csr', '-subj', `/CN=Signer of ${name}`);
  run(
    ...'x509 -req -in signer.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 -out signer.pem'.split(
      ' ',
    ),
  );
  const message = (covered: Buffer): Buffer => {
    writeFileSync(at('covered'), covered);
    return run(
      ...'cms -sign -binary -in covered -signer signer.pem -inkey signer.key -certfile ca.pem -outform DER -md sha256'.split(
        ' ',
      ),
    );
  };
  return {
    anchor: run('x509', '-in', 'ca.pem', '-outform', 'DER'),
    signed: (file) => signedBy(file, message),
    end: () => rmSync(folder, { recursive: true }),
  };
}

/** Adds a signature as a revision, as a signing program does: room first, then the range, then the message into the room. */
function signedBy(file: Buffer, message: (covered: Buffer) => Buffer): Buffer {
  const text = file.toString('latin1');
  const [, root = '1'] = /\/Root (\d+) 0 R/.exec(text) ?? [];
  const catalogue = new RegExp(`\\n${root} 0 obj\\n<<([\\s\\S]*?)>>\\nendobj`).exec(text)?.[1] ?? '';
  const value = `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 ${'*'.repeat(30)}] /Contents <${'0'.repeat(2 * room)}> >>`;
  const field =
    '<< /FT /Sig /T (Signature) /V 950 0 R /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /F 132 >>';
  const objects = new Map([
    [Number(root), Buffer.from(`<<${catalogue} /AcroForm << /SigFlags 3 /Fields [951 0 R] >> >>`, 'latin1')],
    [950, Buffer.from(value)],
    [951, Buffer.from(field)],
  ]);
  const prepared = revised(file, objects);
  const start = prepared.indexOf(`/Contents <${'0'.repeat(40)}`) + '/Contents '.length;
  const end = start + 2 + 2 * room;
  const range = `${start} ${end} ${prepared.length - end}`.padEnd(30);
  prepared.write(range, prepared.indexOf(`[0 ${'*'.repeat(30)}`) + 3);
  const covered = Buffer.concat([prepared.subarray(0, start), prepared.subarray(end)]);
  prepared.write(message(covered).toString('hex'), start + 1);
  return prepared;
}

/** A file that came as base64 in a body of JSON. It is decoded before the body is checked. As JSON it is its SHA-256. */
export class SentFile {
  readonly bytes: Buffer;
  /** In hex. */
  readonly sha256: string;

  constructor(bytes: Buffer, sha256: string) {
    this.bytes = bytes;
    this.sha256 = sha256;
  }

  toJSON(): string {
    return this.sha256;
  }
}

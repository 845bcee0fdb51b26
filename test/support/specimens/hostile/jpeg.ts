import { bytesOf } from '../../seed.ts';

const start = Buffer.from([0xff, 0xd8]);
const end = Buffer.from([0xff, 0xd9]);

/** The marks of the parts of a JPEG: its frame in the usual and in the arithmetic code, a scan, a table, a comment, EXIF and a profile. */
const marks = {
  frame: 0xc0,
  arithmetic: 0xc9,
  table: 0xc4,
  scan: 0xda,
  comment: 0xfe,
  exif: 0xe1,
  profile: 0xe2,
};

function part(mark: number, content: Uint8Array): Buffer {
  const before = Buffer.from([0xff, mark, 0, 0]);
  before.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([before, content]);
}

/** The same JPEG with one more part at its beginning. */
const withPart = (jpeg: Buffer, mark: number, content: Uint8Array): Buffer =>
  Buffer.concat([start, part(mark, content), jpeg.subarray(start.length)]);

/** The same JPEG with a comment. */
export const withComment = (jpeg: Buffer, comment: string): Buffer =>
  withPart(jpeg, marks.comment, Buffer.from(comment));

/** The same JPEG, which says that it lies in this direction. EXIF knows the directions 1 to 8. */
export function lying(jpeg: Buffer, direction: number): Buffer {
  const orientation = Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0]);
  orientation.writeUInt16BE(direction, 8);
  const exif = ['Exif\0\0', 'MM\0*', '\0\0\0\x08', '\0\x01', orientation, '\0\0\0\0'];
  return withPart(jpeg, marks.exif, Buffer.concat(exif.map((each) => Buffer.from(each as string))));
}

/** The same JPEG with a profile of its colours that is none. */
export const withBrokenProfile = (jpeg: Buffer): Buffer =>
  withPart(
    jpeg,
    marks.profile,
    Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), bytesOf('profile', 600)]),
  );

/** The same JPEG, which says that it has so many pixels. */
export function declaring(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.indexOf(Buffer.from([0xff, marks.frame]));
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}

/** The same JPEG, which says that its pixels are in the arithmetic code. In that code, they are noise. */
export function arithmetic(jpeg: Buffer): Buffer {
  const changed = Buffer.from(jpeg);
  changed[changed.indexOf(Buffer.from([0xff, marks.frame])) + 1] = marks.arithmetic;
  return changed;
}

/**
 * A progressive JPEG with so many more scans. Each of them says in a few bytes, for each block of the picture, that nothing is to be added
 * to it. So a small file makes a decoder work for long.
 */
export function withScans(progressive: Buffer, count: number): Buffer {
  // The only word of the table has the code 0. It says that the next 2^14 blocks and those that 14 further bits count have nothing more.
  const table = part(marks.table, Buffer.from([0x13, 1, ...Buffer.alloc(15), 0xe0]));
  const [firstComponent, tables, from, to, bits] = [1, 0x03, 63, 63, 0];
  const header = part(marks.scan, Buffer.from([1, firstComponent, tables, from, to, bits]));
  const run = Buffer.alloc(200, 0x00);
  const scan = Buffer.concat([table, header, run]);
  return Buffer.concat([progressive.subarray(0, -end.length), ...Array<Buffer>(count).fill(scan), end]);
}

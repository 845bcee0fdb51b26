import { createCipheriv, createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { bytesOf } from '#test/support/seed.ts';
import { madeSlips } from './clean.ts';
import { Dice } from './dice.ts';
import { PdfFile } from './pdf-file.ts';
import { layoutNames } from './slips.ts';
import { fileOf, pdfStream, written } from './write.ts';

/**
 * A file that wants to break its reader. A reader must end within its limits. `readable`: whether a correct reader could read the slip in
 * it. Where it is undefined, both answers are right.
 */
export type Hostile = { name: string; readable?: boolean; make(): Buffer | Promise<Buffer> };

const information = '<< /Producer (Loonwijzer) /CreationDate (D:20260524080000Z) >>';
const id = '00112233445566778899aabbccddeeff';
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** Some lines of a slip, so that a reader has a reason to go on. */
const words = [
  'BT /F1 10 Tf 40 800 Td (Loonstrook mei 2026) Tj 0 -14 Td (Werkgever Bakkerij De Gulden Korenaar B.V.) Tj',
  '0 -14 Td (Bruto loon 3.000,00) Tj 0 -14 Td (Netto loon 2.400,00) Tj ET',
].join(' ');

type Parts = {
  page?: string;
  content?: string | Buffer;
  catalogue?: string;
  more?: (string | Buffer)[];
  box?: string;
  resources?: string;
  version?: string;
};

/** A file of one page. The further objects begin at 6. */
function onePage({
  page = '',
  content = words,
  catalogue = '',
  more = [],
  box = '0 0 595 842',
  resources = '',
  version,
}: Parts): Buffer {
  const stream = Buffer.isBuffer(content) ? content : pdfStream('', content);
  return fileOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Resources << /Font << /F1 5 0 R >> ${resources} >> /Contents 4 0 R ${page} >>`,
      ...[stream, font, ...more, information],
    ],
    id,
    version,
  );
}

/** A file of other objects. The first is the catalogue. */
const bare = (...objects: (string | Buffer)[]) => fileOf([...objects, information], id);

/** Packs zeros (or any byte) of many gigabytes into a few megabytes, or of megabytes into kilobytes. */
function bomb(bytes: number, times: number, fill = 0x20): Buffer {
  let packed: Buffer = Buffer.alloc(bytes, fill);
  for (let each = 0; each < times; each++) packed = deflateSync(packed, { level: 9 });
  return packed;
}

const filtered = (dictionary: string, packed: Buffer, filter: string) =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${packed.length} /Filter ${filter} >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);

const twicePacked = '[/FlateDecode /FlateDecode]';
const megabytes = 1024 * 1024;

/** A page tree in which each node has one child. */
function deepTree(depth: number): Buffer {
  const nodes = Array.from(
    { length: depth },
    (_, at) => `<< /Type /Pages /Count 1 /Kids [${at + 3} 0 R] ${at === 0 ? '' : `/Parent ${at + 1} 0 R`} >>`,
  );
  const page = depth + 2;
  return bare(
    '<< /Type /Catalog /Pages 2 0 R >>',
    ...nodes,
    `<< /Type /Page /Parent ${page - 1} 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 ${page + 2} 0 R >> >> /Contents ${page + 1} 0 R >>`,
    pdfStream('', words),
    font,
  );
}

function manyPages(count: number): Buffer {
  const pages = Array.from(
    { length: count },
    () =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 3 0 R >>`,
  );
  return bare(
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${pages.map((_, at) => `${at + 5} 0 R`).join(' ')}] >>`,
    pdfStream('', words),
    font,
    ...pages,
  );
}

const form = (content: string, resources: string) =>
  pdfStream(`/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${resources} >>`, content);

/** Forms that each draw the next one twice: 2 to the power of their number drawings. */
function doubling(levels: number): Buffer {
  const forms = Array.from({ length: levels }, (_, at) =>
    at === levels - 1
      ? form(words, '/Font << /F1 5 0 R >>')
      : form('/X Do /X Do', `/XObject << /X ${at + 7} 0 R >>`),
  );
  return onePage({ content: '/X Do', resources: '/XObject << /X 6 0 R >>', more: forms });
}

const image = (dictionary: string, packed: Buffer, filter: string) =>
  filtered(`/Type /XObject /Subtype /Image ${dictionary}`, packed, filter);
const withImage = (object: Buffer) =>
  onePage({
    content: `${words} q 500 0 0 500 40 40 cm /Im Do Q`,
    resources: '/XObject << /Im 6 0 R >>',
    more: [object],
  });
const square = (side: number) => `/Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`;

/** Objects in a stream, and their places in a stream. `holder` is the dictionary of the first, `table` of the second. */
function withStreams({
  inside,
  holder = '',
  rows,
  table = '',
  packed,
}: {
  inside: string;
  holder?: string;
  rows?: number[][];
  table?: string;
  packed?: Buffer;
}): Buffer {
  const head = Buffer.from('%PDF-1.5\n');
  const body = packed ?? deflateSync(inside);
  const first = Buffer.concat([
    Buffer.from(
      `4 0 obj\n<< /Type /ObjStm ${holder} /Length ${body.length} /Filter /FlateDecode >>\nstream\n`,
    ),
    body,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const at = head.length + first.length;
  const entries = rows ?? [
    [0, 0, 255],
    [2, 4, 0],
    [2, 4, 1],
    [2, 4, 2],
    [1, head.length, 0],
    [1, at, 0],
  ];
  const bytes = Buffer.from(
    entries.flatMap(([kind = 0, place = 0, index = 0]) => [kind, (place >> 8) & 255, place & 255, index]),
  );
  const second = filtered(
    `/Type /XRef /Size ${entries.length} /W [1 2 1] /Root 1 0 R ${table}`,
    deflateSync(bytes),
    '/FlateDecode',
  );
  return Buffer.concat([
    head,
    first,
    Buffer.from('5 0 obj\n'),
    second,
    Buffer.from(`\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ]);
}

const insideObjects = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
];
function insideText(): { text: string; first: number } {
  let offset = 0;
  const head = insideObjects.map((each, at) => {
    const part = `${at + 1} ${offset}`;
    offset += each.length + 1;
    return part;
  });
  const line = `${head.join(' ')}\n`;
  return { text: `${line}${insideObjects.join(' ')}`, first: line.length };
}

function streamFile(holder: string, more: Partial<Parameters<typeof withStreams>[0]> = {}): Buffer {
  const { text, first } = insideText();
  return withStreams({ inside: text, holder: `/N 3 /First ${first} ${holder}`, ...more });
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** RC4, which new versions of OpenSSL no longer have. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at);
  const at = (place: number) => state[place] ?? 0;
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    [state[i], state[j]] = [at(j), at(i)];
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      [state[i], state[j]] = [at(j), at(i)];
      return byte ^ at((at(i) + at(j)) & 255);
    }),
  );
}

const padded = (password: string) =>
  Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);

/** Encrypts the page with RC4 of 40 bits, as the first version of the format did. */
function withRc4(password: string): Buffer {
  const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(password));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-44);
  const key = md5(padded(password), owner, permissions, Buffer.from(id, 'hex')).subarray(0, 5);
  const forObject = md5(key, Buffer.from([4, 0, 0, 0, 0])).subarray(0, 10);
  const content = rc4(forObject, Buffer.from(words));
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${rc4(key, padding).toString('hex')}> /P -44 >>`;
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
  return encrypted(onePage({ content: stream, more: [encrypt] }));
}

const encrypted = (file: Buffer) =>
  Buffer.from(file.toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Encrypt 6 0 R'), 'latin1');

/** The hash of revision 6, ISO 32000-2 algorithm 2.B. */
function hardened(password: Buffer, salt: Buffer, owner = Buffer.alloc(0)): Buffer {
  let key = createHash('sha256')
    .update(Buffer.concat([password, salt, owner]))
    .digest();
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = Buffer.concat([password, key, owner]);
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(
      false,
    );
    const made = cipher.update(Buffer.concat(Array.from({ length: 64 }, () => block)));
    const remainder = made.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(['sha256', 'sha384', 'sha512'][remainder] ?? 'sha256')
      .update(made)
      .digest();
    last = made.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

/** Encrypts the page with AES of 256 bits, as version 2.0 of the format does. */
function withAes256(user: string): Buffer {
  const password = Buffer.from(user);
  const [fileKey, salts] = [bytesOf('income aes', 32), bytesOf('income salts', 32)];
  const [validation, keySalt] = [salts.subarray(0, 8), salts.subarray(8, 16)];
  const unpadded = (key: Buffer, iv: Buffer, data: Buffer, mode = 'cbc') =>
    createCipheriv(`aes-256-${mode}`, key, mode === 'ecb' ? null : iv)
      .setAutoPadding(false)
      .update(data);
  const zero = Buffer.alloc(16);
  const u = Buffer.concat([hardened(password, validation), validation, keySalt]);
  const ue = unpadded(hardened(password, keySalt), zero, fileKey);
  const [ownerValidation, ownerSalt] = [salts.subarray(16, 24), salts.subarray(24, 32)];
  const owner = Buffer.from('owner');
  const o = Buffer.concat([hardened(owner, ownerValidation, u), ownerValidation, ownerSalt]);
  const oe = unpadded(hardened(owner, ownerSalt, u), zero, fileKey);
  const perms = Buffer.alloc(16);
  perms.writeInt32LE(-44);
  perms.fill(255, 4, 8);
  perms.write('Tadb', 8);
  const iv = bytesOf('income iv', 16);
  const cipher = createCipheriv('aes-256-cbc', fileKey, iv);
  const content = Buffer.concat([iv, cipher.update(words), cipher.final()]);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  const encrypt = `<< /Filter /Standard /V 5 /R 6 /Length 256 /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF /O ${hex(o)} /U ${hex(u)} /OE ${hex(oe)} /UE ${hex(ue)} /Perms ${hex(unpadded(fileKey, zero, perms, 'ecb'))} /P -44 >>`;
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
  return encrypted(onePage({ content: stream, more: [encrypt], version: '2.0' }));
}

/** A table of places that points back to itself. */
function previousInCircle(): Buffer {
  const text = onePage({}).toString('latin1');
  const at = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  return Buffer.from(text.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${at}`), 'latin1');
}

/** Thousands of revisions, each of which changes the page. */
function manyRevisions(count: number): Buffer {
  const parts: Buffer[] = [onePage({})];
  let at = parts[0]?.length ?? 0;
  let previous = Number(/startxref\n(\d+)/.exec(String(parts[0]))?.[1]);
  for (let each = 0; each < count; each++) {
    const object = `4 0 obj\n<< /Length ${words.length} >>\nstream\n${words}\nendstream\nendobj\n`;
    const place = at + object.length;
    const table = `xref\n4 1\n${String(at).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 7 /Root 1 0 R /Info 6 0 R /Prev ${previous} >>\nstartxref\n${place}\n%%EOF\n`;
    parts.push(Buffer.from(object + table));
    previous = place;
    at += object.length + table.length;
  }
  return Buffer.concat(parts);
}

/** A table of places, and a stream of further places that only newer readers know. */
function hybrid(): Buffer {
  const whole = onePage({});
  const text = whole.toString('latin1');
  const at = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  const rows = Buffer.from([1, at >> 8, at & 255, 0]);
  const places = filtered(
    '/Type /XRef /Size 8 /Index [7 1] /W [1 2 1] /Root 1 0 R',
    deflateSync(rows),
    '/FlateDecode',
  );
  const stream = Buffer.concat([Buffer.from('7 0 obj\n'), places, Buffer.from('\nendobj\n')]);
  const rest = text
    .slice(at)
    .replace('/Root 1 0 R', `/XRefStm ${at} /Root 1 0 R`)
    .replace(/startxref\n\d+/, `startxref\n${at + stream.length}`);
  return Buffer.concat([whole.subarray(0, at), stream, Buffer.from(rest, 'latin1')]);
}

async function cleanSlip(index = 0): Promise<Buffer> {
  const layout = layoutNames[index % layoutNames.length] ?? 'dense';
  const [made] = madeSlips('full time', layout, index, 1);
  if (!made) throw new Error('no slip');
  return written(made.sheet, { ...made.origin, writer: index % 2 ? 'pdfkit' : 'plain' });
}

const fontWith = (file: Buffer, subtype = 'TrueType') => [
  `<< /Type /Font /Subtype /${subtype} /BaseFont /Broken /FirstChar 32 /LastChar 126 /Widths [${'600 '.repeat(95)}] /FontDescriptor 7 0 R /Encoding /WinAnsiEncoding >>`,
  `<< /Type /FontDescriptor /FontName /Broken /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /${subtype === 'TrueType' ? 'FontFile2' : 'FontFile'} 8 0 R >>`,
  pdfStream(`/Length1 ${file.length}`, file),
];
const withFont = (file: Buffer, subtype?: string) =>
  onePage({
    content: words.replaceAll('/F1', '/F2'),
    resources: '/Dummy 0',
    page: '',
    more: fontWith(file, subtype),
  })
    .toString('latin1')
    .replace('/F1 5 0 R', '/F1 5 0 R /F2 6 0 R');

/** A TrueType file whose table directory names tables of random bytes. */
function brokenTrueType(): Buffer {
  const tables = ['cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'post'];
  const head = Buffer.alloc(12 + tables.length * 16);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(tables.length, 4);
  for (const [at, name] of tables.entries()) {
    head.write(name, 12 + at * 16, 'latin1');
    head.writeUInt32BE(head.length + at * 100, 12 + at * 16 + 8);
    head.writeUInt32BE(at % 2 ? 0xfffffff0 : 100, 12 + at * 16 + 12);
  }
  return Buffer.concat([head, bytesOf('broken font', 2_000)]);
}

const action = (entry: string) => onePage({ catalogue: `/OpenAction ${entry}` });

const fixed: Hostile[] = [
  // The tree of the pages.
  { name: 'page tree of depth 50,000', make: () => deepTree(50_000) },
  {
    name: 'page tree in a circle',
    make: () =>
      bare(
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Pages /Count 1 /Parent 2 0 R /Kids [2 0 R] >>',
      ),
  },
  {
    name: 'page tree that is its own child',
    make: () =>
      bare('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R 2 0 R] >>'),
  },
  { name: '10,000 pages', readable: false, make: () => manyPages(10_000) },
  {
    name: '0 pages',
    readable: false,
    make: () => bare('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 0 /Kids [] >>'),
  },
  {
    name: 'a billion pages declared, one there',
    make: () =>
      Buffer.from(onePage({}).toString('latin1').replace('/Count 1 ', '/Count 1000000000 '), 'latin1'),
  },
  {
    name: 'a negative count of pages',
    make: () => Buffer.from(onePage({}).toString('latin1').replace('/Count 1', '/Count -1'), 'latin1'),
  },
  {
    name: 'a kid that is no page',
    make: () =>
      bare(
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R (text) 17 null] >>',
        '[1 2 3]',
      ),
  },
  { name: 'a MediaBox of a billion points', make: () => onePage({ box: '0 0 1000000000 1000000000' }) },
  { name: 'a MediaBox without size', make: () => onePage({ box: '0 0 0 0' }) },
  { name: 'a MediaBox of no numbers', make: () => onePage({ box: '/A /B null 1e999' }) },
  { name: 'a UserUnit of a million', make: () => onePage({ page: '/UserUnit 1000000' }) },
  // Drawing.
  {
    name: 'a form that draws itself',
    make: () =>
      onePage({
        content: '/X Do',
        resources: '/XObject << /X 6 0 R >>',
        more: [form('/X Do', '/XObject << /X 6 0 R >>')],
      }),
  },
  {
    name: 'two forms that draw each other',
    make: () =>
      onePage({
        content: '/X Do',
        resources: '/XObject << /X 6 0 R >>',
        more: [form('/Y Do', '/XObject << /Y 7 0 R >>'), form('/X Do', '/XObject << /X 6 0 R >>')],
      }),
  },
  { name: 'forms that double 30 times', make: () => doubling(30) },
  {
    name: 'a pattern that paints itself',
    make: () =>
      onePage({
        content: '/Pattern cs /P scn 0 0 500 500 re f',
        resources: '/Pattern << /P 6 0 R >>',
        more: [
          pdfStream(
            '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 0.0001 /YStep 0.0001 /Resources << /Pattern << /P 6 0 R >> >>',
            '/Pattern cs /P scn 0 0 10 10 re f',
          ),
        ],
      }),
  },
  {
    name: 'a type 3 font that writes with itself',
    make: () =>
      onePage({
        content: 'BT /T3 10 Tf (a) Tj ET',
        resources: '',
        page: '',
        more: [
          '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 7 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /T3 6 0 R >> >> >>',
          pdfStream('', 'BT /T3 10 Tf (a) Tj ET'),
        ],
      }),
  },
  {
    name: 'a soft mask in a circle',
    make: () =>
      onePage({
        content: `/G gs ${words}`,
        resources: '/ExtGState << /G << /SMask << /S /Luminosity /G 6 0 R >> >> >>',
        more: [
          pdfStream(
            '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Group << /S /Transparency >> /Resources << /ExtGState << /G << /SMask << /S /Luminosity /G 6 0 R >> >> >> >>',
            '/G gs 0 0 9 9 re f',
          ),
        ],
      }),
  },
  {
    name: 'a million tiny paths',
    make: () => onePage({ content: `${words}\n${'1 1 m 2 2 l S\n'.repeat(1_000_000)}` }),
  },
  {
    name: 'a path of a million points',
    make: () => onePage({ content: `${words} 0 0 m\n${'1 1 l 2 2 l\n'.repeat(500_000)}S` }),
  },
  { name: 'a million saved states', make: () => onePage({ content: `${'q '.repeat(1_000_000)}${words}` }) },
  {
    name: 'a million nested arrays in the content',
    make: () => onePage({ content: `${words} ${'['.repeat(1_000_000)} TJ` }),
  },
  {
    name: 'dictionaries nested 100,000 deep',
    make: () => onePage({ catalogue: `/A ${'<< /A '.repeat(100_000)} 1 ${'>> '.repeat(100_000)}` }),
  },
  {
    name: 'arrays nested 100,000 deep',
    make: () => onePage({ catalogue: `/A ${'['.repeat(100_000)}${']'.repeat(100_000)}` }),
  },
  {
    name: 'a text of 10 MB on a page',
    make: () =>
      onePage({ content: `BT /F1 1 Tf 1 1 Td ${'(Netto loon 2.345,67 ) Tj\n'.repeat(420_000)} ET` }),
  },
  {
    name: 'one string of 10 MB',
    make: () => onePage({ content: `BT /F1 1 Tf 1 1 Td (${'7'.repeat(10_000_000)}) Tj ET` }),
  },
  { name: 'a name of 1 MB', make: () => onePage({ catalogue: `/${'N'.repeat(1_000_000)} 1` }) },
  { name: 'a number of 1 MB of digits', make: () => onePage({ catalogue: `/N ${'9'.repeat(1_000_000)}` }) },
  {
    name: 'a dash pattern of zeros',
    make: () => onePage({ content: `[0 0] 0 d 0 0 m 500 500 l S ${words}` }),
  },
  {
    name: 'a shading by a function in a circle',
    make: () =>
      onePage({
        content: '/S sh',
        resources:
          '/Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 1] /Function 6 0 R >> >>',
        more: [
          '<< /FunctionType 3 /Domain [0 1] /Functions [6 0 R 6 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>',
        ],
      }),
  },
  {
    name: 'a colour space in a circle',
    make: () =>
      onePage({
        content: '/C cs 1 scn 0 0 99 99 re f',
        resources: '/ColorSpace << /C 6 0 R >>',
        more: ['[/Indexed 6 0 R 255 <00>]'],
      }),
  },
  {
    name: 'a PostScript function without an end',
    make: () =>
      onePage({
        content: '/S sh',
        resources:
          '/Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 1 0 1] /Function 6 0 R >> >>',
        more: [
          pdfStream(
            '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]',
            `{ ${'dup mul '.repeat(200_000)} }`,
          ),
        ],
      }),
  },
  // Actions and files.
  { name: 'JavaScript that never ends', make: () => action('<< /S /JavaScript /JS (while\\(1\\){}) >>') },
  { name: 'a launch of a program', make: () => action('<< /S /Launch /F (/bin/sh) >>') },
  { name: 'a URI when opened', make: () => action('<< /S /URI /URI (https://example.invalid/?q=1) >>') },
  {
    name: 'a form that is sent',
    make: () => action('<< /S /SubmitForm /F << /FS /URL /F (https://example.invalid/) >> >>'),
  },
  { name: 'another file when opened', make: () => action('<< /S /GoToR /F (file:///etc/passwd) >>') },
  {
    name: 'actions that follow each other in a circle',
    make: () =>
      onePage({ catalogue: '/OpenAction 6 0 R', more: ['<< /S /Named /N /NextPage /Next 6 0 R >>'] }),
  },
  {
    name: 'an embedded program',
    make: () =>
      onePage({
        catalogue:
          '/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a.exe) /EF << /F 6 0 R >> >>] >> >>',
        more: [pdfStream('/Type /EmbeddedFile', Buffer.from('MZ'))],
      }),
  },
  {
    name: 'a content stream outside of the file',
    make: () => onePage({ content: Buffer.from('<< /F (/etc/passwd) /Length 0 >>\nstream\n\nendstream') }),
  },
  {
    name: 'a form of XFA',
    make: () =>
      onePage({
        catalogue: '/AcroForm << /XFA 6 0 R /Fields [] >>',
        more: [
          pdfStream(
            '',
            '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">&b;</xdp:xdp>',
          ),
        ],
      }),
  },
  {
    name: 'XMP that expands a billion times',
    make: () =>
      onePage({
        catalogue: '/Metadata 6 0 R',
        more: [
          pdfStream(
            '/Type /Metadata /Subtype /XML',
            `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.replace(/./g, (each) => `<!ENTITY ${each} "${`&${String.fromCharCode(each.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><x>&j;</x>`,
            false,
          ),
        ],
      }),
  },
  {
    name: 'an outline in a circle',
    make: () =>
      onePage({
        catalogue: '/Outlines 6 0 R',
        more: [
          '<< /First 7 0 R /Last 7 0 R /Count 1 >>',
          '<< /Title (a) /Parent 6 0 R /Next 7 0 R /First 7 0 R >>',
        ],
      }),
  },
  {
    name: 'a name tree in a circle',
    make: () =>
      onePage({
        catalogue: '/Names << /EmbeddedFiles 6 0 R /JavaScript 6 0 R /Dests 6 0 R >>',
        more: ['<< /Kids [6 0 R 6 0 R] >>'],
      }),
  },
  {
    name: 'form fields in a circle',
    make: () =>
      onePage({
        catalogue: '/AcroForm << /Fields [6 0 R] >>',
        more: ['<< /T (a) /Kids [6 0 R] /Parent 6 0 R >>'],
      }),
  },
  {
    name: 'annotations of 100,000',
    make: () =>
      onePage({
        page: `/Annots [${'6 0 R '.repeat(100_000)}]`,
        more: ['<< /Type /Annot /Subtype /FreeText /Rect [0 0 9 9] /Contents (1) >>'],
      }),
  },
  // Encryption.
  { name: 'RC4, empty password', make: () => withRc4('') },
  { name: 'RC4, a password', readable: false, make: () => withRc4('geheim') },
  { name: 'AES-256, empty password', make: () => withAes256('') },
  { name: 'AES-256, a password', readable: false, make: () => withAes256('geheim') },
  {
    name: 'an unknown encryption',
    readable: false,
    make: () => encrypted(onePage({ more: ['<< /Filter /Unknown /V 99 >>'] })),
  },
  // Bombs.
  {
    name: 'a content stream of 1 GB in 1 MB',
    make: () => onePage({ content: filtered('', bomb(megabytes * 1000, 1), '/FlateDecode') }),
  },
  {
    name: 'a content stream packed twice, 1 GB',
    make: () => onePage({ content: filtered('', bomb(megabytes * 1000, 2), twicePacked) }),
  },
  {
    name: 'a content stream packed with 1,000 filters',
    make: () =>
      onePage({
        content: filtered('', deflateSync(words), `[${'/ASCIIHexDecode '.repeat(1_000)}/FlateDecode]`),
      }),
  },
  {
    name: 'a content stream by LZW of zeros',
    make: () => onePage({ content: filtered('', Buffer.alloc(2_000_000), '/LZWDecode') }),
  },
  {
    name: 'a content stream by run lengths',
    make: () =>
      onePage({ content: filtered('', Buffer.from('8120'.repeat(2_000_000), 'hex'), '/RunLengthDecode') }),
  },
  {
    name: 'a predictor of a billion columns',
    make: () =>
      onePage({
        content: filtered(
          '/DecodeParms << /Predictor 15 /Columns 1000000000 /Colors 32 /BitsPerComponent 16 >>',
          deflateSync(words),
          '/FlateDecode',
        ),
      }),
  },
  { name: 'an object stream of 500 MB', make: () => streamFile('', { packed: bomb(megabytes * 500, 1) }) },
  { name: 'an object stream of a billion objects', make: () => streamFile('/N 1000000000') },
  {
    name: 'a table of places of 500 MB',
    make: () =>
      Buffer.from(
        streamFile('', { rows: [[0, 0, 255]], table: '' })
          .toString('latin1')
          .replace('/W [1 2 1]', '/W [1 2 1] /Size 2000000000'),
        'latin1',
      ),
  },
  {
    name: 'fields of places of a billion bytes',
    make: () =>
      Buffer.from(
        streamFile('').toString('latin1').replace('/W [1 2 1]', '/W [1000000000 1000000000 1000000000]'),
        'latin1',
      ),
  },
  {
    name: 'an image of 60,000 by 60,000 points, 10 GB declared',
    make: () => withImage(image(square(60_000), bomb(megabytes, 1, 0), '/FlateDecode')),
  },
  {
    name: 'an image of 10,000 by 10,000 points, packed twice',
    make: () => withImage(image(square(10_000), bomb(300_000_000, 2, 0), twicePacked)),
  },
  {
    name: 'an image of 2 billion points of width',
    make: () =>
      withImage(
        image(
          '/Width 2147483647 /Height 2147483647 /ColorSpace /DeviceGray /BitsPerComponent 1',
          deflateSync('x'),
          '/FlateDecode',
        ),
      ),
  },
  {
    name: 'an image that is its own mask',
    make: () => withImage(image(`${square(2)} /SMask 6 0 R`, deflateSync(Buffer.alloc(12)), '/FlateDecode')),
  },
  {
    name: 'a broken JBIG2 image',
    make: () => withImage(image(square(100), bytesOf('jbig2', 3_000), '/JBIG2Decode')),
  },
  {
    name: 'a JBIG2 image in a circle',
    make: () =>
      withImage(
        image(
          `${square(100)} /DecodeParms << /JBIG2Globals 6 0 R >>`,
          bytesOf('jbig2 globals', 500),
          '/JBIG2Decode',
        ),
      ),
  },
  {
    name: 'a broken JPX image',
    make: () =>
      withImage(
        image(
          '/Width 100 /Height 100',
          Buffer.concat([Buffer.from('0000000c6a5020200d0a870a', 'hex'), bytesOf('jpx', 3_000)]),
          '/JPXDecode',
        ),
      ),
  },
  {
    name: 'a JPX image of 4 billion points',
    make: () =>
      withImage(
        image(
          '/Width 1 /Height 1',
          Buffer.from(
            'ff4fff510029000000ffffffffffffffff0000000000000000ffffffffffffffff0000000000000000000107010100',
            'hex',
          ),
          '/JPXDecode',
        ),
      ),
  },
  {
    name: 'a broken JPEG image',
    make: () =>
      withImage(
        image(
          square(100),
          Buffer.concat([
            Buffer.from('ffd8ffc000110 8ffffffff03012200021101031101'.replaceAll(' ', ''), 'hex'),
            bytesOf('jpeg', 3_000),
          ]),
          '/DCTDecode',
        ),
      ),
  },
  {
    name: 'a broken fax image',
    make: () =>
      withImage(
        image(
          '/Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 1 /DecodeParms << /K -1 /Columns 60000 /Rows 60000 >>',
          bytesOf('fax', 3_000),
          '/CCITTFaxDecode',
        ),
      ),
  },
  // Fonts.
  {
    name: 'a TrueType font with broken tables',
    make: () => Buffer.from(withFont(brokenTrueType()), 'latin1'),
  },
  {
    name: 'a TrueType font of random bytes',
    make: () => Buffer.from(withFont(bytesOf('font', 20_000)), 'latin1'),
  },
  {
    name: 'a Type 1 font that never ends',
    make: () =>
      Buffer.from(
        withFont(Buffer.from(`%!PS-AdobeFont-1.0\n${'{ dup loop } '.repeat(50_000)}`), 'Type1'),
        'latin1',
      ),
  },
  { name: 'an empty font file', make: () => Buffer.from(withFont(Buffer.alloc(0)), 'latin1') },
  {
    name: 'a composite font in a circle',
    make: () =>
      onePage({
        content: 'BT /F9 9 Tf <0001> Tj ET',
        more: [
          '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 6 0 R >>',
        ],
        resources: '',
        page: '/Group 6 0 R',
      }),
  },
  {
    name: 'a ToUnicode map of all characters, 10,000 times',
    make: () =>
      onePage({
        content: words.replaceAll('/F1', '/F2'),
        resources: '',
        more: [
          '<< /Type /Font /Subtype /TrueType /BaseFont /A /ToUnicode 7 0 R >>',
          pdfStream(
            '',
            `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${'1 beginbfrange <0000> <ffff> <0000> endbfrange '.repeat(10_000)} endcmap`,
          ),
        ],
      }),
  },
  {
    name: 'an encoding that is based on itself',
    make: () =>
      onePage({
        content: words.replaceAll('/F1', '/F2'),
        more: [
          '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding 7 0 R >>',
          '<< /BaseEncoding 7 0 R /Differences [65 7 0 R 300000000 /A] >>',
        ],
      }),
  },
  // The skeleton of the file.
  { name: 'tables of places in a circle', make: previousInCircle },
  {
    name: 'a table of places before the file',
    make: () =>
      Buffer.from(onePage({}).toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Prev -1'), 'latin1'),
  },
  { name: '5,000 revisions', make: () => manyRevisions(5_000) },
  {
    name: 'a startxref that points to nothing',
    make: () =>
      Buffer.from(
        onePage({})
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\n7'),
        'latin1',
      ),
  },
  {
    name: 'a startxref beyond the file',
    make: () =>
      Buffer.from(
        onePage({})
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\n99999999999999999999'),
        'latin1',
      ),
  },
  {
    name: 'no startxref at all',
    make: () =>
      Buffer.from(
        onePage({})
          .toString('latin1')
          .replace(/xref\n0[\s\S]*/, ''),
        'latin1',
      ),
  },
  {
    name: 'an object stream that holds itself',
    make: () =>
      streamFile('', {
        rows: [
          [0, 0, 255],
          [2, 4, 0],
          [2, 4, 1],
          [2, 4, 2],
          [2, 4, 0],
          [1, 9, 0],
        ],
      }),
  },
  { name: 'an object stream that extends itself', make: () => streamFile('/Extends 4 0 R') },
  {
    name: 'a length that is a reference to itself',
    make: () =>
      Buffer.from(onePage({ content: Buffer.from(`<< /Length 4 0 R >>\nstream\n${words}\nendstream`) })),
  },
  {
    name: 'a negative length',
    make: () => onePage({ content: Buffer.from(`<< /Length -5 >>\nstream\n${words}\nendstream`) }),
  },
  {
    name: 'a length of 10 GB',
    make: () => onePage({ content: Buffer.from(`<< /Length 10737418240 >>\nstream\n${words}\nendstream`) }),
  },
  { name: 'a reference to itself', make: () => bare('<< /Type /Catalog /Pages 2 0 R >>', '2 0 R') },
  { name: 'no catalogue', readable: false, make: () => bare('null') },
  {
    name: 'an object number of 4 billion',
    make: () => Buffer.from(onePage({}).toString('latin1').replace('/Size 7', '/Size 4294967295'), 'latin1'),
  },
  {
    name: 'a hybrid table of places that points to itself',
    make: () => {
      const text = onePage({}).toString('latin1');
      return Buffer.from(
        text.replace('/Root 1 0 R', `/XRefStm ${/startxref\n(\d+)/.exec(text)?.[1]} /Root 1 0 R`),
        'latin1',
      );
    },
  },
  // Other files.
  { name: 'an empty file', readable: false, make: () => Buffer.alloc(0) },
  { name: 'one byte', readable: false, make: () => Buffer.from('%') },
  { name: 'the head alone', readable: false, make: () => Buffer.from('%PDF-1.7\n') },
  { name: '1 MB of zero bytes', readable: false, make: () => Buffer.alloc(megabytes) },
  {
    name: '9.9 MB of random bytes behind the head',
    readable: false,
    make: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), bytesOf('random file', 9_900_000)]),
  },
  {
    name: '9.9 MB of the word obj',
    readable: false,
    make: () => Buffer.from(`%PDF-1.7\n${'1 0 obj\n'.repeat(1_237_000)}`),
  },
  {
    name: '9.9 MB of open brackets',
    readable: false,
    make: () => Buffer.from(`%PDF-1.7\n1 0 obj\n${'<<['.repeat(3_300_000)}`),
  },
  {
    name: '9.9 MB of ends of files',
    readable: false,
    make: () => Buffer.from(`%PDF-1.7\n${'startxref\n0\n%%EOF\n'.repeat(540_000)}`),
  },
  { name: 'the head at byte 1,024', make: () => Buffer.concat([Buffer.alloc(1_015, 0x20), onePage({})]) },
  { name: 'the head at byte 5,000', make: () => Buffer.concat([Buffer.alloc(5_000, 0x20), onePage({})]) },
  {
    name: 'a ZIP that is a PDF too',
    make: () =>
      Buffer.concat([
        Buffer.from('504b03040a0000000000', 'hex'),
        Buffer.alloc(20),
        onePage({}),
        Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
      ]),
  },
  {
    name: 'a page of HTML that is a PDF too',
    make: () =>
      Buffer.concat([Buffer.from('<html><script>alert(1)</script><!--'), onePage({}), Buffer.from('-->')]),
  },
  { name: 'HTML alone', readable: false, make: () => Buffer.from('<!doctype html><title>%PDF-1.4</title>') },
  {
    name: 'a JPEG alone',
    readable: false,
    make: () => Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), bytesOf('photo', 4_000)]),
  },
  { name: 'zeros behind the file', make: () => Buffer.concat([onePage({}), Buffer.alloc(100_000)]) },
  { name: 'a hybrid table of places', readable: true, make: hybrid },
  { name: 'version 2.0', readable: true, make: () => onePage({ version: '2.0' }) },
  { name: 'version 9.9', make: () => onePage({ version: '9.9' }) },
  {
    name: 'lines that end in a carriage return',
    make: () =>
      Buffer.from(
        onePage({ content: Buffer.from(`<< /Length ${words.length} >>\nstream\n${words}\nendstream`) })
          .toString('latin1')
          .replaceAll('\n', '\r'),
        'latin1',
      ),
  },
];

/** A clean slip that is cut at twenty places. */
const truncated = (): Hostile[] =>
  Array.from({ length: 20 }, (_, at) => ({
    name: `cut at ${at * 5} %`,
    make: async () => {
      const whole = await cleanSlip(at);
      return whole.subarray(0, Math.floor((whole.length * at) / 20));
    },
  }));

const tokens = [
  'obj',
  'endobj',
  'stream',
  'endstream',
  'xref',
  'trailer',
  '/Length',
  '/Type',
  '/Kids',
  '/Count',
  ' 0 R',
  '<<',
  '>>',
  '/Filter',
];
const intruders = [
  '',
  ' null ',
  '[',
  '<<',
  '>>',
  '(',
  '/',
  '9999999999',
  '-1',
  '%',
  '\0',
  'endobj',
  'stream\n',
  '1 0 R',
];

/** Changes a file a little, in one of four ways. */
function mutated(whole: Buffer, dice: Dice): Buffer {
  const way = dice.whole(0, 3);
  if (way === 0) {
    const copy = Buffer.from(whole);
    for (let each = dice.whole(1, 60); each > 0; each--) {
      const at = dice.whole(0, copy.length - 1);
      copy[at] = (copy[at] ?? 0) ^ (1 << dice.whole(0, 7));
    }
    return copy;
  }
  if (way === 1) {
    const [a, b, c] = [
      dice.whole(0, whole.length),
      dice.whole(0, whole.length),
      dice.whole(0, whole.length),
    ].sort((x, y) => x - y);
    return Buffer.concat([
      whole.subarray(0, a),
      whole.subarray(b, c),
      whole.subarray(a, b),
      whole.subarray(c),
    ]);
  }
  let text = whole.toString('latin1');
  for (let each = dice.whole(1, 5); each > 0; each--) {
    const token = way === 2 ? dice.pick(tokens) : String(dice.whole(0, 99));
    const places = [...text.matchAll(new RegExp(token.replace(/[/<>]/g, '\\$&'), 'g'))].map(
      ({ index }) => index,
    );
    if (places.length === 0) continue;
    const at = dice.pick(places);
    text =
      text.slice(0, at) +
      (way === 2 ? dice.pick(intruders) : String(dice.whole(0, 99_999))) +
      text.slice(at + token.length);
  }
  return Buffer.from(text, 'latin1');
}

const mutations = (count: number): Hostile[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `mutation ${at}`,
    make: async () => {
      const whole = await cleanSlip(at);
      const packed = at % 5 === 0 ? new PdfFile(whole).rewritten(new Map(), { id, packed: true }) : whole;
      return mutated(packed, new Dice(`mutation ${at}`));
    },
  }));

/** Files that want to break their reader. Each is made when it is needed: some have megabytes. */
export const hostileFiles = (): Hostile[] => [...fixed, ...truncated(), ...mutations(200)];

import { deflateSync } from 'node:zlib';

/** Files that are made to break a reader. */

type Objects = readonly (string | Buffer)[];

/** A file of numbered objects. The first one is the catalogue. */
function fileOf(objects: Objects, trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, content] of objects.entries()) {
    const object = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(content),
      Buffer.from('\nendobj\n'),
    ]);
    places.push(at);
    parts.push(object);
    at += object.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const stream = (dictionary: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

const page = (more = '') => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${more} >>`;

function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(' ');
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
    ...Array.from({ length: count }, () => page()),
  ]);
}

function deepTree(depth: number): Buffer {
  const nodes = Array.from(
    { length: depth },
    (_, index) => `<< /Type /Pages /Count 1 /Kids [${index + 3} 0 R] /Parent ${index + 1} 0 R >>`,
  );
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    ...nodes,
    `<< /Type /Page /Parent ${depth + 1} 0 R /MediaBox [0 0 595 842] >>`,
  ]);
}

function recursiveForm(): Buffer {
  const form = (own: number, other: number) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A ${own} 0 R /B ${other} 0 R >> >>`,
      Buffer.from('/A Do /B Do'),
    );
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    page('/Contents 4 0 R /Resources << /XObject << /A 5 0 R /B 6 0 R >> >>'),
    stream('', Buffer.from('/A Do /B Do')),
    form(5, 6),
    form(6, 5),
  ]);
}

/** Each form draws the next one ten times, so the last is drawn as often as ten to the power of their number. */
function manyForms(depth: number): Buffer {
  const form = (next: number) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A ${next} 0 R >> >>`,
      Buffer.from('/A Do '.repeat(10)),
    );
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    page('/Contents 4 0 R /Resources << /XObject << /A 5 0 R >> >>'),
    stream('', Buffer.from('/A Do')),
    ...Array.from({ length: depth }, (_, index) => form(index + 6)),
    stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', Buffer.from('0 0 5 5 re f')),
  ]);
}

function bomb(bytes: number, levels: number, content = '0 0 5 5 re f '): Buffer {
  let packed = Buffer.from(content.repeat(Math.ceil(bytes / content.length)));
  for (let level = 0; level < levels; level++) packed = deflateSync(packed, { level: 9 });
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    page('/Contents 4 0 R'),
    stream(`/Filter [${'/FlateDecode '.repeat(levels)}]`, packed),
  ]);
}

const nested = (depth: number) =>
  fileOf([
    '<< /Type /Catalog /Pages 2 0 R /X 4 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    page(),
    '['.repeat(depth),
  ]);

const huge = () =>
  fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1e9 1e9] >>',
  ]);

export const hostile: Readonly<Record<string, () => Buffer>> = {
  'ten thousand pages': () => manyPages(10_000),
  'a count of pages that is not true': () =>
    fileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>',
      page(),
    ]),
  'a tree of pages ten thousand deep': () => deepTree(10_000),
  'a tree of pages that contains itself': () =>
    fileOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 5 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>',
    ]),
  'forms that draw each other': recursiveForm,
  'forms that draw ten times the next one': () => manyForms(9),
  'a bomb of operators': () => bomb(200_000_000, 1),
  'a bomb in a bomb': () => bomb(200_000_000, 2),
  'a hundred thousand arrays in each other': () => nested(100_000),
  'a page as large as a country': huge,
};

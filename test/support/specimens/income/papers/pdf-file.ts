import { deflateSync, inflateSync } from 'node:zlib';

/** The objects of a file by their numbers, each as it stands between "obj" and "endobj". */
export type Objects = Map<number, Buffer>;

const latin = (bytes: Buffer) => bytes.toString('latin1');

/**
 * A PDF whose last revision has a table of places ("xref"). Reads what is needed to change a file as an editor does. It is no reader:
 * it knows only files of the writers beside it, and of itself.
 */
export class PdfFile {
  readonly bytes: Buffer;
  readonly objects: Objects = new Map();
  readonly trailer: string;
  readonly startxref: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const text = latin(bytes);
    this.startxref = Number(/startxref\s+(\d+)/.exec(text.slice(text.lastIndexOf('startxref')))?.[1]);
    const trailers: string[] = [];
    for (let at: number | undefined = this.startxref; at !== undefined; ) {
      const [trailer, places] = sectionAt(text, at);
      for (const [number, place] of places)
        if (!this.objects.has(number)) this.objects.set(number, objectAt(bytes, text, place));
      trailers.push(trailer);
      const before: string | undefined = /\/Prev (\d+)/.exec(trailer)?.[1];
      at = before === undefined ? undefined : Number(before);
    }
    this.trailer = trailers[0] ?? '';
  }

  get size(): number {
    return Math.max(...this.objects.keys()) + 1;
  }

  text(number: number): string {
    const object = this.objects.get(number);
    if (object === undefined) throw new Error(`no object ${number}`);
    return latin(object);
  }

  reference(name: 'Root' | 'Info'): number {
    return Number(new RegExp(`/${name} (\\d+) 0 R`).exec(this.trailer)?.[1]);
  }

  /** The numbers of the page objects, in the order of the pages. */
  get pages(): number[] {
    const root = Number(/\/Pages (\d+) 0 R/.exec(this.text(this.reference('Root')))?.[1]);
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(this.text(root))?.[1] ?? '';
    return [...kids.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
  }

  /** The number of the object with the operators of a page. */
  contentOf(page: number): number {
    return Number(/\/Contents (\d+) 0 R/.exec(this.text(this.pages[page] ?? 0))?.[1]);
  }

  /** The bytes of a stream, without its packing. */
  stream(number: number): Buffer {
    const object = this.objects.get(number) ?? Buffer.alloc(0);
    const from = object.indexOf('stream') + 6;
    const begin = object[from] === 13 ? from + 2 : from + 1;
    const packed = object.subarray(begin, object.lastIndexOf('endstream'));
    return latin(object.subarray(0, from)).includes('/FlateDecode') ? inflateSync(packed) : packed;
  }

  /** Adds a revision, as a program does that saves only what it changed. */
  appended(changes: Objects, { trailer = this.#trailerWithout(), eol = '\n' } = {}): Buffer {
    const parts: Buffer[] = [this.bytes];
    let at = this.bytes.length;
    if (!latin(this.bytes.subarray(-2)).endsWith('\n')) {
      parts.push(Buffer.from(eol));
      at += eol.length;
    }
    const sections = [...changes]
      .sort(([a], [b]) => a - b)
      .map(([number, object]) => {
        const part = Buffer.concat([
          Buffer.from(`${number} 0 obj${eol}`),
          object,
          Buffer.from(`${eol}endobj${eol}`),
        ]);
        parts.push(part);
        at += part.length;
        return `${number} 1\n${String(at - part.length).padStart(10, '0')} 00000 n \n`;
      });
    const size = Math.max(this.size, ...[...changes.keys()].map((number) => number + 1));
    const dictionary = `<< /Size ${size} ${trailer} /Prev ${this.startxref} >>`;
    parts.push(Buffer.from(`xref\n${sections.join('')}trailer\n${dictionary}\nstartxref\n${at}\n%%EOF\n`));
    return Buffer.concat(parts);
  }

  #trailerWithout(): string {
    const kept = ['Root', 'Info'].map(
      (name) => new RegExp(`/${name} \\d+ 0 R`).exec(this.trailer)?.[0] ?? '',
    );
    return [...kept, /\/ID\s*\[[^\]]*\]/.exec(this.trailer)?.[0] ?? ''].join(' ');
  }

  /** Writes all objects anew, as a program does that saves a file under another name. Nothing is left of earlier revisions. */
  rewritten(changes: Objects, { id, packed = false }: { id: string; packed?: boolean }): Buffer {
    const objects: Objects = new Map([...this.objects, ...changes].sort(([a], [b]) => a - b));
    const [root, info] = [this.reference('Root'), this.reference('Info')];
    const trailer = `/Root ${root} 0 R /Info ${info} 0 R /ID [<${id}> <${id}>]`;
    return packed ? withObjectStream(objects, trailer) : withTable(objects, trailer);
  }
}

type Section = [trailer: string, places: [number: number, place: number][]];

function sectionAt(text: string, at: number): Section {
  const end = text.indexOf('startxref', at);
  const section = text.slice(at, end);
  const trailer = section.slice(section.indexOf('trailer'));
  const places: Section[1] = [];
  let number = 0;
  for (const line of section.slice(0, section.indexOf('trailer')).split(/\r?\n|\r/)) {
    const head = /^(\d+) (\d+)$/.exec(line.trim());
    if (head) number = Number(head[1]);
    const entry = /^(\d{10}) \d{5} ([nf])/.exec(line.trim());
    if (entry?.[2] === 'n') places.push([number, Number(entry[1])]);
    if (entry) number++;
  }
  return [trailer, places];
}

function objectAt(bytes: Buffer, text: string, place: number): Buffer {
  const begin = text.indexOf('obj', place) + 3;
  const stream = text.indexOf('stream', begin);
  const end = text.indexOf('endobj', begin);
  const length =
    stream !== -1 && stream < end
      ? Number(/\/Length (\d+)/.exec(text.slice(begin, stream))?.[1])
      : Number.NaN;
  const real = Number.isNaN(length) ? end : text.indexOf('endobj', stream + length);
  return Buffer.from(
    latin(bytes.subarray(begin, real)).replace(/^\s+|\s+$/g, (_, from) => (from === 0 ? '' : '')),
    'latin1',
  );
}

function withTable(objects: Objects, trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\xbf\xf7\xa2\xfe\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const size = Math.max(...objects.keys()) + 1;
  const places = new Map<number, number>();
  for (const [number, object] of objects) {
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    places.set(number, at);
    parts.push(part);
    at += part.length;
  }
  const lines = Array.from({ length: size }, (_, number) => {
    const place = places.get(number);
    return place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n${lines.join('')}trailer << /Size ${size} ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Objects that are no streams lie in a packed stream, and a packed stream has the places, as in files of many new programs. */
function withObjectStream(objects: Objects, trailer: string): Buffer {
  const isStream = (object: Buffer) => /stream\r?\n/.test(latin(object.subarray(0, 4_000)));
  const inside = [...objects].filter(([, object]) => !isStream(object));
  const size = Math.max(...objects.keys()) + 1;
  const [holder, table] = [size, size + 1];
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\xbf\xf7\xa2\xfe\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const entries = new Map<number, [kind: number, a: number, b: number]>();
  const add = (number: number, object: Buffer) => {
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    entries.set(number, [1, at, 0]);
    parts.push(part);
    at += part.length;
  };
  for (const [number, object] of objects) if (isStream(object)) add(number, object);
  let offset = 0;
  const heads = inside.map(([number, object], index) => {
    entries.set(number, [2, holder, index]);
    const head = `${number} ${offset}`;
    offset += object.length + 1;
    return head;
  });
  const first = `${heads.join(' ')}\n`;
  const body = Buffer.concat([
    Buffer.from(first),
    ...inside.flatMap(([, object]) => [object, Buffer.from('\n')]),
  ]);
  add(holder, packedStream(`/Type /ObjStm /N ${inside.length} /First ${first.length}`, body));
  entries.set(table, [1, at, 0]);
  const rows = Buffer.alloc((table + 1) * 7);
  for (let number = 0; number <= table; number++) {
    const [kind, a, b] = entries.get(number) ?? [0, 0, 65_535];
    rows.writeUInt8(kind, number * 7);
    rows.writeUInt32BE(a, number * 7 + 1);
    rows.writeUInt16BE(b, number * 7 + 5);
  }
  const start = at;
  const rowStream = packedStream(`/Type /XRef /Size ${table + 1} /W [1 4 2] ${trailer}`, rows);
  parts.push(
    Buffer.from(`${table} 0 obj\n`),
    rowStream,
    Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

function packedStream(dictionary: string, content: Buffer): Buffer {
  const bytes = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} /Filter /FlateDecode >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** Sets an entry of a dictionary that is a reference, an array or a small dictionary, or adds it. */
export function withEntry(dictionary: string, name: string, value: string): string {
  const old = new RegExp(`/${name}\\s*(?:\\d+ 0 R|\\[[^\\]]*\\]|<<(?:[^<>]|<<[^<>]*>>)*>>)`);
  const entry = `/${name} ${value}`;
  return old.test(dictionary) ? dictionary.replace(old, entry) : dictionary.replace('<<', `<< ${entry}`);
}

/** What an editor puts on a page. */
export type Addition = {
  /** Operators, with the origin in the lower left corner. */
  operators?: string;
  fonts?: Record<string, string>;
  images?: Record<string, Buffer>;
  annotations?: (string | Buffer)[];
};

/** The changed and new objects of an addition. The drawing that was there stays as it was. */
export function additionTo(
  file: PdfFile,
  page: number,
  { operators, fonts = {}, images = {}, annotations = [] }: Addition,
): Objects {
  const changes: Objects = new Map();
  let next = file.size;
  const add = (object: string | Buffer) => {
    changes.set(next, Buffer.from(object));
    return `${next++} 0 R`;
  };
  const pageNumber = file.pages[page] ?? 0;
  let dictionary = file.text(pageNumber);
  if (operators !== undefined) {
    const [before, after] = [
      add(packedStream('', Buffer.from('q'))),
      add(packedStream('', Buffer.from(`Q\nq\n${operators}\nQ`))),
    ];
    dictionary = dictionary.replace(/\/Contents (\d+ 0 R)/, `/Contents [${before} $1 ${after}]`);
  }
  const resources = Number(/\/Resources (\d+) 0 R/.exec(dictionary)?.[1]);
  let resourceText = file.text(resources);
  const named = (kind: 'Font' | 'XObject', objects: Record<string, string | Buffer>) => {
    const list = Object.entries(objects)
      .map(([name, object]) => `/${name} ${add(object)}`)
      .join(' ');
    if (list === '') return;
    resourceText = new RegExp(`/${kind}\\s*<<`).test(resourceText)
      ? resourceText.replace(new RegExp(`/${kind}\\s*<<`), `/${kind} << ${list} `)
      : resourceText.replace('<<', `<< /${kind} << ${list} >> `);
  };
  named('Font', fonts);
  named('XObject', images);
  if (resourceText !== file.text(resources)) changes.set(resources, Buffer.from(resourceText, 'latin1'));
  const annotated = annotations.map(add).join(' ');
  if (annotated !== '') {
    const before = /\/Annots\s*\[([^\]]*)\]/.exec(dictionary)?.[1] ?? '';
    dictionary = withEntry(dictionary, 'Annots', `[${before} ${annotated}]`);
  }
  if (dictionary !== file.text(pageNumber)) changes.set(pageNumber, Buffer.from(dictionary, 'latin1'));
  return changes;
}

/** Changes that a program adds at the end of a file, as an editor saves them. */

type Objects = ReadonlyMap<number, Buffer>;

/** Adds objects as a later revision. */
export function revised(file: Buffer, objects: Objects): Buffer {
  const text = file.toString('latin1');
  const trailer = text.slice(text.lastIndexOf('trailer'));
  const before = /startxref\s+(\d+)/.exec(trailer)?.[1];
  const root = /\/Root \d+ 0 R/.exec(trailer)?.[0];
  const size = Number(/\/Size (\d+)/.exec(trailer)?.[1]);
  const parts: Buffer[] = [file, Buffer.from('\n')];
  let at = file.length + 1;
  const places: string[] = [];
  for (const [number, content] of objects) {
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), content, Buffer.from('\nendobj\n')]);
    places.push(`${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
    parts.push(object);
    at += object.length;
  }
  const last = Math.max(size, ...[...objects.keys()].map((number) => number + 1));
  parts.push(
    Buffer.from(
      `xref\n${places.join('')}trailer\n<< /Size ${last} ${root} /Prev ${before} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Adds an object to which nothing leads. */
export const fileWith = (file: Buffer, object: string): Buffer =>
  revised(file, new Map([[900, Buffer.from(object)]]));

/** An annotation on the first page, with an appearance: `Highlight`, for example. The place is in points from the lower left corner. */
export function annotatedLater(file: Buffer, kind: string, rect: number[], operators: string): Buffer {
  const text = file.toString('latin1');
  const [, number, page] = /\n(\d+) 0 obj\n<<([^>]*\/Type \/Page\n[\s\S]*?)>>\nendobj/.exec(text) ?? [];
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const box = `[0 0 ${right - left} ${top - bottom}]`;
  const note = `<< /Type /Annot /Subtype /${kind} /F 4 /Rect [${rect.join(' ')}] /Contents (Note) /AP << /N 902 0 R >> >>`;
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const head = `<< /Type /XObject /Subtype /Form /BBox ${box} /Resources << /Font << /F ${font} >> >> /Length ${operators.length} >>`;
  return revised(
    file,
    new Map([
      [Number(number), Buffer.from(`<<${page} /Annots [901 0 R] >>`, 'latin1')],
      [901, Buffer.from(note)],
      [902, Buffer.from(`${head}\nstream\n${operators}\nendstream`)],
    ]),
  );
}

/** The stream with the operators of the first page, changed and added as a later revision. */
export function changedLater(file: Buffer, from: string, to: string): Buffer {
  const text = file.toString('latin1');
  const number = Number(/\/Contents (\d+) 0 R/.exec(text)?.[1]);
  const start = text.indexOf(`\n${number} 0 obj`) + 1;
  const stream = /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(text.slice(start))?.[1] ?? '';
  const content = stream.replace(from, to);
  return revised(
    file,
    new Map([
      [number, Buffer.from(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`, 'latin1')],
    ]),
  );
}

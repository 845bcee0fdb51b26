const boundaryIn = /^multipart\/form-data;\s*boundary="?([\w'()+,./:=?-]{1,70})"?$/i;
const headersBytesMax = 2 * 1024;
const endOfHeaders = Buffer.from('\r\n\r\n');

type Part = { headers: string; content: Buffer };

/**
 * Returns the file in the form field `name`, if that field is the first part of the form and complete (RFC 7578). For 12 MB of tiny
 * fields, a general parser would block the process for up to a second. So nothing here reads more than the first parts.
 */
export function fileInForm(form: Buffer, contentType: string, name: string): Buffer | undefined {
  const [part] = firstParts(form, contentType, 1);
  return part && names(part, name) && part.headers.includes('; filename=') ? part.content : undefined;
}

/** Returns the field that follows the file of a form, if it has this name. */
export function fieldAfterFile(form: Buffer, contentType: string, name: string): string | undefined {
  const [, part] = firstParts(form, contentType, 2);
  return part && names(part, name) ? part.content.toString('utf8') : undefined;
}

function firstParts(form: Buffer, contentType: string, max: number): Part[] {
  const boundary = boundaryIn.exec(contentType)?.[1];
  const opening = `--${boundary}\r\n`;
  const parts: Part[] = [];
  for (let start = 0; boundary !== undefined && parts.length < max; ) {
    const begin = start + opening.length;
    if (form.subarray(start, begin).toString('latin1') !== opening) break;
    const headersSize = form.subarray(begin, begin + headersBytesMax).indexOf(endOfHeaders);
    const content = begin + headersSize + endOfHeaders.length;
    const end = headersSize < 0 ? -1 : form.indexOf(`\r\n--${boundary}`, content, 'latin1');
    if (end < 0) break;
    const headers = form
      .subarray(begin, begin + headersSize)
      .toString('latin1')
      .toLowerCase();
    parts.push({ headers, content: form.subarray(content, end) });
    start = end + '\r\n'.length;
  }
  return parts;
}

const names = ({ headers }: Part, name: string): boolean =>
  headers
    .split('\r\n')
    .some(
      (line) =>
        line.startsWith('content-disposition: form-data;') && `${line};`.includes(`; name="${name}";`),
    );

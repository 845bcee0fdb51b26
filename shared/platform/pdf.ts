import { fileURLToPath } from 'node:url';
import pdfmake from 'pdfmake';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';

export type { Content } from 'pdfmake/interfaces.js';

/** A document as plain data. The same data always give the same bytes. */
export type PdfPages = {
  title: string;
  subject: string;
  /** The time that the file says it was made. */
  madeAt: Date;
  content: Content[];
  /** Stands at the foot of each page, before the number of the page. */
  footer: string;
  /** A file inside the document. */
  attachment: { name: string; type: string; description: string; bytes: Buffer };
};

const fontFolder = fileURLToPath(new URL('./fonts/Roboto/', import.meta.resolve('pdfmake/package.json')));
const font = (name: string) => `${fontFolder}Roboto-${name}.ttf`;

/** The library may read its fonts, and nothing else. */
pdfmake.setLocalAccessPolicy((path) => path.startsWith(fontFolder));
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setFonts({
  Roboto: {
    ...{ normal: font('Regular'), bold: font('Medium') },
    ...{ italics: font('Italic'), bolditalics: font('MediumItalic') },
  },
});

const pageMargins: [number, number, number, number] = [48, 48, 48, 56];
const grey = '#5b6470';

/** Makes a PDF (A4) with page numbers. Its fonts are embedded; they have Latin, Greek and Cyrillic letters. */
export async function pdfOf(pages: PdfPages): Promise<Buffer> {
  const { title, subject, madeAt, content, footer, attachment } = pages;
  const definition: TDocumentDefinitions = {
    info: {
      title,
      subject,
      creator: 'verification-service',
      producer: 'pdfmake',
      creationDate: madeAt,
      modDate: madeAt,
    },
    ...{ version: '1.7', language: 'en', displayTitle: true, pageSize: 'A4', pageMargins },
    content,
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.15, color: '#1c2430' },
    footer: (page, count) => ({
      columns: [
        { text: footer, width: '*' },
        { text: `Page ${page} of ${count}`, width: 'auto', alignment: 'right' },
      ],
      ...{ margin: [48, 22, 48, 0], fontSize: 7.5, color: grey },
    }),
    files: { [attachment.name]: fileOf(attachment, madeAt) },
  };
  return Buffer.from(await pdfmake.createPdf(definition).getBuffer());
}

const fileOf = ({ name, type, description, bytes }: PdfPages['attachment'], madeAt: Date) => ({
  src: `data:${type};base64,${bytes.toString('base64')}`,
  ...{ name, type, description, creationDate: madeAt, modifiedDate: madeAt, hidden: false },
  relationship: 'Data' as const,
});

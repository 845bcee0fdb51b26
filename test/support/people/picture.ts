import sharp from 'sharp';

export type Payload = { body?: string | Buffer; type?: string };

/** Encodes a form with a file as a browser does. */
export const pictureForm = (picture: Uint8Array, name: string) => fileForm('picture', picture, name);

export async function fileForm(field: string, bytes: Uint8Array, name: string): Promise<Required<Payload>> {
  const form = new FormData();
  form.set(field, new File([new Uint8Array(bytes)], name));
  const encoded = new Response(form);
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    type: String(encoded.headers.get('content-type')),
  };
}

/** Makes a sharp, well-lit picture without content. */
export const anyPicture = (width = 1200, height = 800): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();

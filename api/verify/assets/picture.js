// Encodes pictures. A browser that protects its user may give noise or white instead of what a canvas holds, and an old one may not turn
// a photo upright. So what comes out is compared with what went in.

/** How many patches of a picture are compared, along each side, and their sides in pixels. */
const patches = { along: 3, side: 16 };
/**
 * The largest accepted mean difference of the patches, in grey values. Encoding a photo changes them by less than 8, and noise by more than
 * 40.
 */
const differenceMax = 20;

/** @typedef {{ picture: CanvasImageSource, scale: number }} Original what was drawn on a canvas, and how much smaller */

/**
 * Encodes a canvas as a JPEG. Rejects with `unsupported` if the JPEG does not show what was drawn.
 * @param {HTMLCanvasElement} canvas
 * @param {Original} original
 * @returns {Promise<Blob>}
 */
export async function jpegOf(canvas, original = { picture: canvas, scale: 1 }) {
  /** @type {Blob} */
  const blob = await new Promise((resolve, reject) =>
    canvas.toBlob((made) => (made ? resolve(made) : reject('busy')), 'image/jpeg', 0.92),
  );
  if (!(await shows(blob, original, canvas))) throw 'unsupported';
  return blob;
}

/**
 * @param {Blob} blob
 * @param {Original} original
 * @param {HTMLCanvasElement} canvas
 */
async function shows(blob, { picture, scale }, { width, height }) {
  const [encoded, read] = [await createImageBitmap(blob), reader()];
  if (!read || encoded.width !== width || encoded.height !== height) return false;
  const { along, side } = patches;
  let difference = 0;
  for (let index = 0; index < along * along; index++) {
    const x = Math.floor(((index % along) + 0.5) * (width / along) - side / 2);
    const y = Math.floor((Math.floor(index / along) + 0.5) * (height / along) - side / 2);
    const wanted = read(picture, x / scale, y / scale, side / scale);
    const found = read(encoded, x, y, side);
    difference += wanted.reduce((sum, grey, at) => sum + Math.abs(grey - (found[at] ?? 0)), 0);
  }
  encoded.close();
  return difference / (along * along * side * side) <= differenceMax;
}

/**
 * Returns a function that reads the grey values of a square part of a picture. Undefined if a canvas does not even return a pattern that was
 * just drawn on it.
 */
function reader() {
  const { side } = patches;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [side, side];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  const greys = () => {
    const { data } = context.getImageData(0, 0, side, side);
    return Array.from({ length: side * side }, (_, at) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(4 * at, 4 * at + 3);
      return (77 * red + 150 * green + 29 * blue) >> 8;
    });
  };
  const isDark = (/** @type {number} */ at) => (at + Math.floor(at / side)) % 3 === 0;
  for (let at = 0; at < side * side; at++) {
    context.fillStyle = isDark(at) ? '#202020' : '#d0d0d0';
    context.fillRect(at % side, Math.floor(at / side), 1, 1);
  }
  const isKept = greys().every((grey, at) => Math.abs(grey - (isDark(at) ? 0x20 : 0xd0)) <= differenceMax);
  if (!isKept) return undefined;
  /**
   * @param {CanvasImageSource} picture
   * @param {number} x
   * @param {number} y
   * @param {number} size
   */
  function read(picture, x, y, size) {
    if (!context) return [];
    onWhite(context, side, side);
    context.drawImage(picture, x, y, size, size, 0, 0, side, side);
    return greys();
  }
  return read;
}

/**
 * A JPEG has no transparent pixels. Paper is white, so what shows through is white.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {number} height
 */
function onWhite(context, width, height) {
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
}

/**
 * Returns a JPEG whose longer side has so many pixels at most. If the browser cannot decode the file or turn it upright, if its canvas
 * does not hold the picture, or if the JPEG is not smaller, returns the file unchanged.
 * @param {Blob} file
 * @param {number} sideMax
 */
export async function smaller(file, sideMax) {
  try {
    if (!(await isFit())) return file;
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const context = canvas.getContext('2d');
    if (!context) return file;
    onWhite(context, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await jpegOf(canvas, { picture: bitmap, scale });
    return blob.size < file.size ? blob : file;
  } catch {
    return file;
  }
}

/** @type {Promise<boolean> | undefined} */
let trial;

/** Whether this browser encodes what a canvas holds, and heeds the orientation that a camera wrote into a photo. The server does. */
const isFit = () => (trial ??= isTrialFit());

/** The part of a JPEG (APP1) that says: the top of the picture is at its right side. */
const lyingOnItsSide = [
  ...[
    0xff, 0xe1, 0x00, 0x22, 0x45, 0x78, 0x69, 0x66, 0x00, 0x00, 0x4d, 0x4d, 0x00, 0x2a, 0x00, 0x00, 0x00,
    0x08,
  ],
  ...[
    0x00, 0x01, 0x01, 0x12, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00,
  ],
];

/** Encodes and decodes a black picture that is wider than high and lies on its side. */
async function isTrialFit() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [2 * patches.side, patches.side];
  canvas.getContext('2d')?.fillRect(0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg'));
  if (!blob) return false;
  const lying = [blob.slice(0, 2), new Uint8Array(lyingOnItsSide), blob.slice(2)];
  const bitmap = await createImageBitmap(new Blob(lying, { type: blob.type }), {
    imageOrientation: 'from-image',
  });
  const isBlack = reader()?.(bitmap, 0, 0, patches.side).every((grey) => grey <= differenceMax);
  return isBlack === true && bitmap.height > bitmap.width;
}

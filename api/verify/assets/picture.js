// Encodes pictures.

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
export const jpegOf = (canvas) =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject('busy')), 'image/jpeg', 0.92),
  );

/**
 * Returns a JPEG whose longer side has so many pixels at most. If the browser cannot decode the file, or if the JPEG is not smaller,
 * returns the file unchanged.
 * @param {Blob} file
 * @param {number} sideMax
 */
export async function smaller(file, sideMax) {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await jpegOf(canvas);
    return blob.size < file.size ? blob : file;
  } catch {
    return file;
  }
}

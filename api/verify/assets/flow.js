// The pages work without this script. The script shows a photo before it is sent, and makes it smaller so that it is sent faster.
const sideMax = 2400;

for (const form of document.querySelectorAll('form')) {
  const button = form.querySelector('button');
  form.addEventListener('submit', () => {
    // The button is disabled after the submit event. If it were disabled before, it would not send the form.
    setTimeout(() => {
      if (button === null) return;
      button.disabled = true;
      button.setAttribute('aria-busy', 'true');
      button.textContent = button.dataset.sending ?? button.textContent;
    });
  });
}

/** @type {NodeListOf<HTMLInputElement>} */
const inputs = document.querySelectorAll('input[type=file]');
for (const input of inputs) input.addEventListener('change', () => prepare(input));

// If the Back button restores a page, the button of its form is still disabled, and its step may have passed.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

const refreshMs = 5_000;
if (document.querySelector('main[data-refreshes]')) setTimeout(refresh, refreshMs);

/** Requests the page until there is a next step, and then replaces the text. Nothing changes before that. */
async function refresh() {
  const answer = await fetch(location.href).catch(() => undefined);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined;
  const main = page?.querySelector('main');
  if (!page || !main || main.hasAttribute('data-refreshes')) return setTimeout(refresh, refreshMs);
  document.title = page.title;
  document.querySelector('main')?.replaceChildren(...main.children);
}

/** @param {HTMLInputElement} input */
async function prepare(input) {
  const file = input.files?.[0];
  if (file === undefined) return;
  const picture = await smaller(file);
  if (input.files?.[0] !== file) return;
  if (picture !== file) {
    const files = new DataTransfer();
    files.items.add(picture);
    input.files = files.files;
  }
  /** @type {HTMLImageElement | null | undefined} */
  const preview = input.form?.querySelector('img.preview');
  if (!preview) return;
  URL.revokeObjectURL(preview.src);
  preview.src = URL.createObjectURL(picture);
  preview.hidden = false;
}

/**
 * Returns a smaller JPEG. If the browser cannot decode the file, or if the JPEG is not smaller, returns the file unchanged.
 * @param {File} file
 */
async function smaller(file) {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 });
    return blob.size < file.size ? new File([blob], 'picture.jpg', { type: 'image/jpeg' }) : file;
  } catch {
    return file;
  }
}

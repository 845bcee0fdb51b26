// Every page works without this script. The script copies what is shown once, and removes it from a page that is left.
/** @type {NodeListOf<HTMLButtonElement>} */
const copyButtons = document.querySelectorAll('button[data-copy]');
for (const button of copyButtons) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const secret = document.getElementById(button.dataset.copy ?? '');
    await navigator.clipboard.writeText(textOf(secret));
    button.textContent = button.dataset.copied ?? '';
  });
}

/** @param {HTMLElement | null} element */
function textOf(element) {
  const lines = element?.querySelectorAll('li') ?? [];
  return lines.length > 0
    ? [...lines].map((line) => line.textContent).join('\n')
    : (element?.textContent ?? '').trim();
}

// A browser may keep a page in memory for its Back button.
addEventListener('pagehide', () => {
  for (const secret of document.querySelectorAll('[data-secret]')) secret.textContent = '';
});

// To send a form twice does nothing twice, but its answer would be a page that says so.
/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('form[method=post]');
for (const form of forms)
  form.addEventListener('submit', () => {
    setTimeout(() => {
      for (const button of form.querySelectorAll('button')) button.disabled = true;
    });
  });
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

// One hand decides: a key goes to its field, and Z enlarges one picture after the other.
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
  /** @type {HTMLElement | null} */
  const field = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  field?.focus();
  if (event.key.toLowerCase() === 'z') enlargeNext();
});

function enlargeNext() {
  const ids = [...document.querySelectorAll('figure.picture')].map(({ id }) => id);
  if (ids.length > 0) location.hash = ids[ids.indexOf(location.hash.slice(1)) + 1] ?? 'main';
}

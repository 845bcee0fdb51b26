// Pictures in a window of their own, and the keys of a review. Without this script a link makes a picture fill the page.
const viewer = document.getElementById('viewer');
if (viewer instanceof HTMLDialogElement) show(viewer);

/** A step of the size, and of the place in pixels. */
const step = { size: 1.25, place: 80 };
/** The size is between a half of the whole picture and eight times it. */
const sizes = { min: 0.5, max: 8 };

/** @param {HTMLDialogElement} dialog */
function show(dialog) {
  const stage = /** @type {HTMLElement} */ (dialog.querySelector('.stage'));
  const name = /** @type {HTMLElement} */ (dialog.querySelector('.tools span'));
  /** @type {NodeListOf<HTMLElement>} */
  const figures = document.querySelectorAll('figure.picture');
  let shown = -1;
  /** The size is a part of the whole picture, the place is in pixels from the middle, and a turn is a quarter. */
  let view = { size: 1, x: 0, y: 0, turns: 0 };

  /** @param {number} index */
  function open(index) {
    const figure = figures[index];
    if (figure === undefined) return dialog.close();
    shown = index;
    const marked = /** @type {HTMLElement} */ (figure.querySelector('.marked')?.cloneNode(true));
    // A link inside would take the focus, and lead nowhere.
    for (const link of marked.querySelectorAll('a')) link.replaceWith(...link.childNodes);
    for (const image of marked.querySelectorAll('img')) image.draggable = false;
    stage.replaceChildren(marked);
    name.textContent = figure.querySelector('figcaption')?.firstChild?.textContent ?? '';
    view = { size: 1, x: 0, y: 0, turns: 0 };
    if (!dialog.open) dialog.showModal();
    draw();
  }

  function draw() {
    const marked = stage.querySelector('.marked');
    const image = stage.querySelector('img');
    if (!(marked instanceof HTMLElement) || image === null) return;
    // A drawing has no size before it is loaded.
    if (!image.complete) return image.addEventListener('load', draw, { once: true });
    const [wide, high] = [image.naturalWidth || 1, image.naturalHeight || 1];
    const isOnSide = view.turns % 2 !== 0;
    const [across, down] = isOnSide ? [high, wide] : [wide, high];
    const whole = Math.min(stage.clientWidth / across, stage.clientHeight / down);
    marked.style.width = `${wide * whole * view.size}px`;
    marked.style.transform = `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${90 * view.turns}deg)`;
  }

  /**
   * Makes the picture larger, so that what is at a place of the stage stays there.
   * @param {number} by
   * @param {{ x: number, y: number }} at In pixels from the middle of the stage.
   */
  function resize(by, at = { x: 0, y: 0 }) {
    const size = Math.min(Math.max(view.size * by, sizes.min), sizes.max);
    const grown = size / view.size;
    view = { ...view, size, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown };
    draw();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  function move(x, y) {
    view = { ...view, x: view.x + x, y: view.y + y };
    draw();
  }

  function turn() {
    view = { size: 1, x: 0, y: 0, turns: (view.turns + 1) % 4 };
    draw();
  }

  function fit() {
    view = { ...view, size: 1, x: 0, y: 0 };
    draw();
  }

  /** @type {Record<string, () => void>} */
  const acts = {
    larger: () => resize(step.size),
    smaller: () => resize(1 / step.size),
    next: () => open(shown + 1),
    close: () => dialog.close(),
    ...{ fit, turn },
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    '+': () => resize(step.size),
    '=': () => resize(step.size),
    '-': () => resize(1 / step.size),
    0: fit,
    t: turn,
    arrowleft: () => move(step.place, 0),
    arrowright: () => move(-step.place, 0),
    arrowup: () => move(0, step.place),
    arrowdown: () => move(0, -step.place),
  };

  for (const button of dialog.querySelectorAll('button'))
    button.addEventListener('click', () => acts[button.dataset.act ?? '']?.());
  dialog.addEventListener('keydown', (event) => {
    const act = keys[event.key.toLowerCase()];
    if (act === undefined || hasModifier(event)) return;
    event.preventDefault();
    act();
  });
  stage.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const box = stage.getBoundingClientRect();
      const at = {
        x: event.clientX - box.left - box.width / 2,
        y: event.clientY - box.top - box.height / 2,
      };
      resize(event.deltaY < 0 ? step.size : 1 / step.size, at);
    },
    { passive: false },
  );
  stage.addEventListener('pointerdown', ({ pointerId }) => stage.setPointerCapture(pointerId));
  stage.addEventListener('pointermove', ({ pointerId, movementX, movementY }) => {
    if (stage.hasPointerCapture(pointerId)) move(movementX, movementY);
  });
  addEventListener('resize', draw);

  // Also from what says where on a page something is.
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    const index = [...figures].findIndex(({ id }) => `#${id}` === link?.getAttribute('href'));
    if (index < 0 || hasModifier(event)) return;
    event.preventDefault();
    open(index);
  });

  // One hand decides. A key ticks its box and goes to the button of its form, R goes to the reasons, and Z shows one picture after the other.
  addEventListener('keydown', (event) => {
    if (hasModifier(event) || isTyped(event.target)) return;
    const key = event.key.toLowerCase();
    const owner = document.querySelector(`[data-keys~="${CSS.escape(key)}"]`);
    if (owner === dialog) return open(dialog.open ? shown + 1 : 0);
    if (!(owner instanceof HTMLInputElement)) return;
    dialog.close();
    if (key === 'r') return owner.focus();
    owner.checked = key === 'a' || !owner.checked;
    owner.form?.querySelector('button')?.focus();
  });
}

/** @param {KeyboardEvent | MouseEvent} event */
function hasModifier({ ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey;
}

/** @param {EventTarget | null} target */
function isTyped(target) {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox')
  );
}

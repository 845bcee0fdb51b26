/**
 * Finds a part of the page. Throws if it is not there, or is something else.
 * @template {Element} Part
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => Part} type
 * @returns {Part}
 */
export function part(within, selector, type) {
  const found = within.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}

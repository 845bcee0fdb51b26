const atOnce = 8;

/** Does the work for each element, eight at a time, and returns the results in the order of the elements. */
export async function inParallel<Element, Result>(
  elements: readonly Element[],
  work: (element: Element) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = elements.entries();
  const drain = async () => {
    for (const [index, element] of left) results[index] = await work(element);
  };
  await Promise.all(Array.from({ length: atOnce }, drain));
  return results;
}

/** Does the work for all items, so many at once, and gives the results in order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return results;
}

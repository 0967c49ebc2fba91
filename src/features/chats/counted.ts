/** How many of something, in words. */
const counted = (one: string, many: string) => (count: number) =>
  `${count} ${count === 1 ? one : many}`;

export const settings = counted('setting', 'settings');
export const topics = counted('topic', 'topics');
export const changes = counted('change', 'changes');

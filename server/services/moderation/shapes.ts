/** Looks into what Telegram sent without believing anything about it: fields may be missing, new or mangled. */

export type Thing = Readonly<Record<string, unknown>>;

export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a field; an empty one when there is none. */
export function thingAt(holder: Thing, field: string): Thing {
  const value = holder[field];
  return isThing(value) ? value : {};
}

/** The objects in the list at a field; none when there is no list. */
export function thingsAt(holder: Thing, field: string): readonly Thing[] {
  const value = holder[field];
  return Array.isArray(value) ? value.filter(isThing) : [];
}

/** Whether a field holds something: an object, or a list that is not empty. */
export function holds(holder: Thing, field: string): boolean {
  const value = holder[field];
  return Array.isArray(value) ? value.length > 0 : isThing(value);
}

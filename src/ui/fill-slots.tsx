/** Puts parts of a page, such as links, into the places that a text keeps for them. */
import { createElement, Fragment, type ReactNode } from 'react';

/** The names of the `{slots}` of a text; any names where the compiler does not know the text. */
type SlotName<Text extends string> = string extends Text
  ? string
  : Text extends `${string}{${infer Name}}${infer Rest}`
    ? Name | SlotName<Rest>
    : never;

/**
 * The text with a node in each of its slots, in the order of the text.
 *
 * @throws {Error} In development and tests: when a slot has no node, or a node has no slot.
 */
export function fillSlots<Text extends string>(
  text: Text,
  slots: Readonly<Record<SlotName<Text>, ReactNode>>,
): ReactNode {
  const nodes: Readonly<Record<string, ReactNode>> = slots;
  const parts = text.split(/[{}]/);
  if (import.meta.env.DEV) {
    const places = parts.filter((_, index) => index % 2 === 1);
    const missing = places.filter((name) => !Object.hasOwn(nodes, name));
    const unknown = Object.keys(nodes).filter((name) => !places.includes(name));
    if (missing.length + unknown.length > 0) {
      throw new Error(
        `"${text}": no node for [${missing.join()}], no place for [${unknown.join()}]`,
      );
    }
  }
  // As arguments, not as an array: so they need no keys.
  return createElement(
    Fragment,
    null,
    ...parts.map((part, index) => (index % 2 === 1 ? nodes[part] : part)),
  );
}

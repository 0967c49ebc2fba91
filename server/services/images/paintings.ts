/** Pictures of our own that never change: painted when somebody first looks, and kept. */
import { type ObjectStore } from '#server/lib/object-store';
import { renderSketch, type SketchRequest } from '#server/upstream/images/sketch/index';

/** The bytes of the painting with this name. The same name must always stand for the same order. */
export type Paintings = { readonly read: (name: string, order: SketchRequest) => Promise<Buffer> };

/** `paint` is the renderer; tests count its calls. */
export function createPaintings(objects: ObjectStore, paint = renderSketch): Paintings {
  const painting = new Map<string, Promise<Buffer>>();

  async function paintAndKeep(name: string, order: SketchRequest) {
    const bytes = await paint(order);
    // Without room on the disk it is painted again the next time; it can be seen all the same.
    await objects.put(name, bytes).catch(() => undefined);
    return bytes;
  }

  return {
    read: async (name, order) => {
      const kept = await objects.read(name);
      if (kept) {
        return kept.bytes;
      }
      // Of many who look at the same moment one has it painted.
      const running =
        painting.get(name) ?? paintAndKeep(name, order).finally(() => painting.delete(name));
      painting.set(name, running);
      return running;
    },
  };
}

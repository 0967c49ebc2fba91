/** What a prompt is made of: parts between commas, and pieces that must stay as they are. */

/** Parts between commas, brackets kept whole. */
export function partsOf(prompt: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of prompt) {
    depth = Math.max(0, depth + depthOf(character));
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return [...parts, part].map((text) => text.trim()).filter((text) => text !== '');
}

function depthOf(character: string): -1 | 0 | 1 {
  if ('([{<'.includes(character)) {
    return 1;
  }
  return ')]}>'.includes(character) ? -1 : 0;
}

/** Weights such as `(word:1.2)` and add-ons such as `<lora:name:0.7>`. */
export function fixedPiecesOf(prompt: string): string[] {
  return prompt.match(/\([^()]*:\s*\d+(?:\.\d+)?\s*\)|<[\w-]+:[^<>]+>/g) ?? [];
}

export function mentions(prompt: string, piece: string): boolean {
  return prompt.toLowerCase().includes(piece.toLowerCase());
}

/** The prompt with the pieces that it lost put to its end. */
export function withPieces(prompt: string, pieces: readonly string[]): string {
  const lost = [...new Set(pieces)].filter((piece) => !mentions(prompt, piece));
  return [prompt, ...lost].join(', ');
}

/** Cuts after the last whole part that fits. */
export function cutTo(prompt: string, maxLength: number): string {
  if (prompt.length <= maxLength) {
    return prompt;
  }
  const cut = prompt.slice(0, maxLength + 1);
  const end = Math.max(cut.lastIndexOf(','), cut.lastIndexOf('. '));
  return cut.slice(0, end > 0 ? end : maxLength).trim();
}

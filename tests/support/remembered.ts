/** Rows of the history as a device keeps them; without anything that only one kind of test has. */

/** A finished picture whose file the server has; the newest is number 1. */
export function remembered(number: number, change: Readonly<Record<string, unknown>> = {}) {
  return {
    provider: 'pixai',
    id: `picture-${number}`,
    status: 'completed',
    timestamp: Date.now() - number * 60_000,
    modelId: `model-${number}`,
    modelName: `Moonrise ${number}`,
    prompt: `A heron at dusk, number ${number}`,
    negativePrompt: '',
    ratio: '1:1',
    nsfw: false,
    loras: [],
    tags: ['pixai'],
    // Any picture that the product serves will do.
    imageUrl: '/icon-512.png',
    ...change,
  };
}

export function rememberedMany(count: number) {
  return Array.from({ length: count }, (_row, index) => remembered(index + 1));
}

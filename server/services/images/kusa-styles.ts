/** The built-in styles of Kusa's gallery: what each is called, was called first, and shows. None of it names anybody. */

/** Name, original name, what its picture shows, and the look that picture has. */
const entries = [
  ['ink-wash', 'Ink Wash', 'misty mountains, pine, ink, monochrome', 'realistic'],
  ['woodblock', 'Woodblock Print', 'great wave, sea, distant peak', 'sdxl-1.0'],
  ['cel-shade', 'Cel Shading', 'blue summer sky, clouds, meadow', 'anime'],
  ['night-market', 'Night Market', 'city street at night, lanterns, rain', 'imagine-turbo'],
  ['pixel-quest', 'Pixel Art', 'castle on a hill, dragon, sunset', 'flux-schnell'],
  ['watercolour', 'Watercolour', 'lake, soft pastel dawn, petals', 'realistic'],
  ['noir', 'Film Noir', 'city skyline at midnight, black, ink, moon', 'flux-dev'],
  ['sakura-time', 'Sakura Season', 'cherry blossom, pink petals, river', 'anime'],
  ['synthwave', 'Synthwave', 'neon skyline, synthwave sunset, purple', 'imagine-turbo'],
  ['deep-sea', 'Deep Sea', 'underwater, teal ocean, fish, mermaid', 'flux-dev'],
  ['ember-fall', 'Ember Fall', 'volcano, lava, ember sparks', 'imagine-turbo'],
  ['paper-cut', 'Paper Cut', 'ridges, forest, layered hills, day', 'anime'],
  ['frostbite', 'Frostbite', 'snow, frozen lake, winter, silver moon', 'flux-dev'],
  ['moss-garden', 'Moss Garden', 'green forest, moss, old tree, fireflies', 'realistic'],
  ['star-atlas', 'Star Atlas', 'galaxy, nebula, planets in space', 'flux-dev'],
  ['desert-rose', 'Desert Rose', 'desert dunes, golden sunset, camel', 'realistic'],
  ['storybook', 'Storybook', 'fox in a meadow, autumn leaves, cozy', 'sdxl-1.0'],
  ['mosaic', 'Mosaic', 'harbour, boats, turquoise water', 'flux-schnell'],
  ['charcoal', 'Charcoal', 'forest path, fog, charcoal, pencil', 'realistic'],
  ['pop-poster', 'Pop Poster', 'beach, palm, orange sun, summer', 'imagine-turbo'],
  ['lantern-fest', 'Lantern Festival', 'river at night, lanterns, stars', 'sdxl-1.0'],
  ['mecha-yard', 'Mecha Yard', 'robot, mecha, futuristic city, neon', 'flux-dev'],
  ['fairy-ring', 'Fairy Ring', 'fairy, mushrooms, forest, elf, moon', 'anime'],
  ['gold-leaf', 'Gold Leaf', 'gold fields, sunset, lone tree', 'imagine-turbo'],
  ['moonlit', 'Moonlight', 'moon over the sea, night, calm', 'flux-dev'],
  ['polaroid', 'Instant Photo', 'beach, evening, romantic sunset', 'realistic'],
  ['tapestry', 'Tapestry', 'deer, forest, mountains, autumn', 'flux-schnell'],
  ['stained-glass', 'Stained Glass', 'castle, rose sky, tower, dawn', 'anime'],
  ['rainy-pane', 'Rainy Window', 'city, rain, blue evening, towers', 'sdxl-1.0'],
  ['cloud-isle', 'Cloud Island', 'island in the clouds, bright day, birds', 'anime'],
  ['lava-lamp', 'Lava Lamp', 'purple dusk, hills, violet sky', 'imagine-turbo'],
  ['blueprint', 'Blueprint', 'towers, skyline, blue, midnight', 'flux-dev'],
  ['cross-stitch', 'Cross Stitch', 'cottage, meadow, spring, rose', 'flux-schnell'],
  ['aurora', 'Aurora', 'northern lights, arctic night, snow', 'imagine-turbo'],
  ['harvest', 'Harvest Moon', 'farm, field, harvest, orange moon', 'sdxl-1.0'],
  ['tide-pool', 'Tide Pool', 'lagoon, beach, waves, turquoise', 'realistic'],
  ['steam-works', 'Steam Works', 'city, copper sky, sunset, towers', 'flux-schnell'],
  ['ghost-light', 'Ghost Light', 'witch, night forest, candle, moon', 'flux-dev'],
  ['candy-hills', 'Candy Hills', 'pink hills, cute, pastel sky', 'anime'],
  ['old-map', 'Old Map', 'island, ship, sand, sea, gold', 'realistic'],
  ['rose-quartz', 'Rose Quartz', 'rose dawn, lake, soft light', 'sdxl-1.0'],
  ['comet-tail', 'Comet Tail', 'comet, night sky, stars, ridge', 'flux-dev'],
  ['bonfire', 'Bonfire', 'camp fire, dark forest, sparks', 'realistic'],
  ['snow-globe', 'Snow Globe', 'snow village, winter, white trees', 'anime'],
  ['jungle-heat', 'Jungle Heat', 'jungle, waterfall, green, sun', 'imagine-turbo'],
  ['red-planet', 'Red Planet', 'alien planet, red dunes, two moons, space', 'flux-schnell'],
  ['quiet-harbour', 'Quiet Harbour', 'harbour, dusk, boats, lake', 'realistic'],
  ['silver-screen', 'Silver Screen', 'train, city, monochrome, noir, night', 'sdxl-1.0'],
] as const;

/** Pixels; they take turns, so that no two columns look alike. */
const shapes = [
  { width: 480, height: 640 },
  { width: 480, height: 480 },
  { width: 480, height: 720 },
  { width: 480, height: 360 },
  { width: 480, height: 600 },
] as const;

export type BuiltInStyle = {
  readonly id: string;
  readonly name: string;
  readonly originalName: string;
  readonly prompt: string;
  readonly look: string;
  readonly width: number;
  readonly height: number;
};

export const builtInStyles: readonly BuiltInStyle[] = entries.map(
  ([name, originalName, prompt, look], index) => {
    const { width, height } = shapes[index % shapes.length] ?? shapes[0];
    return { id: String(index + 1), name, originalName, prompt, look, width, height };
  },
);

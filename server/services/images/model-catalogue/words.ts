/** What the names, subjects and tags of the built-in models are made of. None of it names anybody. */

/** First part of a name, and what its covers show. */
export const subjects = [
  { word: 'Tide', prompt: 'sea, waves, soft light', tags: ['landscape', 'water'] },
  { word: 'Cedar', prompt: 'forest, tall trees, mist', tags: ['landscape', 'nature'] },
  { word: 'Lantern', prompt: 'night city street, lanterns, rain', tags: ['city', 'night'] },
  { word: 'Plum', prompt: 'cherry blossom, petals, pink sky', tags: ['nature', 'spring'] },
  { word: 'Ember', prompt: 'fire, ember, dark mountains', tags: ['fantasy', 'dramatic'] },
  { word: 'Frost', prompt: 'snow, winter, frozen lake', tags: ['landscape', 'winter'] },
  { word: 'Orbit', prompt: 'galaxy, stars, space, planets', tags: ['space', 'science fiction'] },
  { word: 'Neon', prompt: 'neon cyber city, skyscrapers', tags: ['city', 'science fiction'] },
  { word: 'Dune', prompt: 'desert dunes, sunset', tags: ['landscape', 'warm'] },
  { word: 'Meadow', prompt: 'meadow, day, blue sky, clouds', tags: ['nature', 'bright'] },
  { word: 'Harbour', prompt: 'harbour, lake, dusk, boats', tags: ['water', 'evening'] },
  { word: 'Velvet', prompt: 'soft pastel dawn, clouds', tags: ['pastel', 'portrait'] },
  { word: 'Paper', prompt: 'paper sky, calm morning', tags: ['illustration', 'pastel'] },
  { word: 'Moss', prompt: 'green forest, moss, fireflies', tags: ['nature', 'fantasy'] },
  { word: 'Comet', prompt: 'night sky, comet, moon, stars', tags: ['space', 'night'] },
  { word: 'Copper', prompt: 'city towers, sunset, copper sky', tags: ['city', 'warm'] },
] as const;

/** Second part of a base model's name. */
export const crafts = [
  'pool',
  'light',
  'field',
  'song',
  'works',
  'glass',
  'drift',
  'bloom',
  'haven',
] as const;

/** What a LoRA adds, as people look for it. */
export const additions = [
  { name: 'Ink Wash', words: ['ink wash', 'monochrome brush'], tags: ['style'] },
  { name: 'Gouache', words: ['gouache painting'], tags: ['style'] },
  { name: 'Line Art', words: ['clean line art', 'flat colour'], tags: ['style'] },
  { name: 'Film Grain', words: ['film grain', 'analog photo'], tags: ['photo'] },
  { name: 'Stained Glass', words: ['stained glass'], tags: ['style'] },
  { name: 'Rim Light', words: ['rim light', 'backlit'], tags: ['lighting'] },
  { name: 'Long Coat', words: ['long coat', 'scarf'], tags: ['clothing'] },
  { name: 'School Festival', words: ['school festival', 'food stalls'], tags: ['scene'] },
  { name: 'Tea House', words: ['tea house', 'tatami room'], tags: ['scene'] },
  { name: 'Pixel Art', words: ['pixel art'], tags: ['style', 'retro'] },
  { name: 'Woodblock', words: ['woodblock print'], tags: ['style', 'retro'] },
  { name: 'Mecha Suit', words: ['mecha suit', 'armour plates'], tags: ['science fiction'] },
] as const;

/** Kinds of base model, and of the LoRAs that fit them. */
export const families = [
  { model: 'SDXL_MODEL', lora: 'SDXL_LORA', suffix: 'XL' },
  { model: 'SD_V1_MODEL', lora: 'SD_V1_LORA', suffix: '' },
  { model: 'DIT7_MODEL', lora: 'DIT7_LORA', suffix: 'Flow' },
] as const;

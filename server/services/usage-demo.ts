/** What Home shows where no bot is connected and nothing was counted: figures made up, and marked so. */
import { type UsageFigure } from './usage.ts';

export const demoUsage: readonly UsageFigure[] = [
  ['imagine', 18_432, 214],
  ['sticker filter', 12_906, 377],
  ['tts', 9_741, 88],
  ['inline search', 7_215, 163],
  ['waifu', 6_380, 42],
  ['welcome', 4_118, 19],
  ['now playing', 2_954, 31],
  ['anilist', 1_207, 0],
  ['warn', 863, 6],
  ['translate', 512, 0],
].map(([name, count, today]) => ({
  _id: String(name),
  count: Number(count),
  today: Number(today),
  is_demo: true,
}));

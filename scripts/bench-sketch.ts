/** `npm run bench:sketch`: how long a sketch takes in each ratio: the median and the maximum of several. */
import { ratios } from '#contract/images/ratios';
import { renderSketch } from '#server/upstream/images/sketch/index';

const prompts = [
  '1girl, silver hair, sakura',
  'neon city at night',
  'ship on the sea at dawn',
  'galaxy and a ringed planet',
  'snow forest, cabin',
];

/** Milliseconds of each picture, one after the other. */
async function measureTimes({
  width,
  height,
}: {
  width: number;
  height: number;
}): Promise<number[]> {
  const times: number[] = [];
  for (const [index, prompt] of prompts.entries()) {
    const startedAt = performance.now();
    // One after the other, as they would share the processor otherwise.
    await renderSketch({ prompt, seed: String(index), width, height });
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((one, other) => one - other);
}

await renderSketch({ prompt: 'to warm up', seed: '0', width: 256, height: 256 });
for (const ratio of ratios) {
  const times = await measureTimes(ratio);
  const [middle = 0, longest = 0] = [times[2], times.at(-1)].map((ms) => Math.round(ms ?? 0));
  const size = `${ratio.width}x${ratio.height}`;
  process.stdout.write(
    `${ratio.name.padEnd(5)} ${size.padEnd(9)} ${middle} ms, at most ${longest} ms\n`,
  );
}

/**
 * `npm run bench:sketch`: how long a sketch takes in each ratio, and a cover in each composition: the median and
 * the maximum of several.
 */
import { ratios } from '#contract/images/ratios';
import { compositions, renderCover } from '#server/upstream/images/sketch/cover';
import { renderSketch } from '#server/upstream/images/sketch/index';

const prompts = [
  '1girl, silver hair, sakura',
  'neon city at night',
  'ship on the sea at dawn',
  'galaxy and a ringed planet',
  'snow forest, cabin',
];

/** Milliseconds of each drawing, one after the other, as they would share the processor otherwise. */
async function report(label: string, draws: readonly (() => Promise<Buffer>)[]): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  for (const draw of draws) {
    const startedAt = performance.now();
    bytes += (await draw()).length;
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  const middle = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  const size = `${(bytes / draws.length / 1000).toFixed(1)} kB`;
  process.stdout.write(
    `${label} ${middle} ms, at most ${Math.round(times.at(-1) ?? 0)} ms, ${size}\n`,
  );
}

await renderSketch({ prompt: 'to warm up', seed: '0', width: 256, height: 256 });
for (const { name, width, height } of ratios) {
  await report(
    `${name.padEnd(5)} ${`${width}x${height}`.padEnd(9)}`,
    prompts.map(
      (prompt, seed) => () => renderSketch({ prompt, seed: String(seed), width, height }),
    ),
  );
}
for (const side of [400, 768]) {
  const size = { width: side * 0.75, height: side };
  await report(
    `cover ${`${size.width}x${side}`.padEnd(9)}`,
    compositions.map(
      (composition) => () => renderCover({ composition, palette: 'dusk', seed: '1', ...size }),
    ),
  );
}

/**
 * `npm run make:film`: draws the short film that the server streams while no video source is set, and
 * encodes it with ffmpeg. The result is part of the repository, so that only this script needs ffmpeg.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';

import { root } from '#scripts/run.mjs';
import { giveUp, say, Stop } from '#scripts/say.mjs';

const film = { width: 640, height: 360, framesPerS: 15, seconds: 24 } as const;
const file = path.join(root, 'server', 'assets', 'test-film.webm');

/** The seven bars of a digit in a box of 20 × 36, and which of them each digit lights. */
const bars = [
  '2 0 16 4',
  '16 2 4 16',
  '16 18 4 16',
  '2 32 16 4',
  '0 18 4 16',
  '0 2 4 16',
  '2 16 16 4',
];
const digits = [
  '012345',
  '12',
  '01346',
  '01236',
  '1256',
  '02356',
  '023456',
  '012',
  '0123456',
  '012356',
];

function digit(value: number, x: number, y: number): string {
  const lit = (digits[value] ?? '').split('').map((index) => bars[Number(index)]?.split(' ') ?? []);
  return lit
    .map(
      ([dx, dy, w, h]) =>
        `<rect x="${x + Number(dx)}" y="${y + Number(dy)}" width="${w}" height="${h}" rx="1.5"/>`,
    )
    .join('');
}

/** mm:ss and the number of the frame in its second. */
function timeCode(frame: number): string {
  const seconds = Math.floor(frame / film.framesPerS);
  const parts = [Math.floor(seconds / 60), seconds % 60, frame % film.framesPerS];
  return parts
    .flatMap((part, index) => {
      const x = 24 + index * 68;
      const dots =
        index === 0
          ? ''
          : `<circle cx="${x - 10}" cy="310" r="2.5"/><circle cx="${x - 10}" cy="324" r="2.5"/>`;
      return [dots, digit(Math.floor(part / 10), x, 299), digit(part % 10, x + 26, 299)];
    })
    .join('');
}

/** A position that moves back and forth between 0 and a maximum. */
function bounce(distance: number, room: number): number {
  const phase = distance % (2 * room);
  return phase < room ? phase : 2 * room - phase;
}

function draw(frame: number): string {
  const size = 112;
  const x = bounce(frame * 5.1, film.width - size);
  const y = bounce(frame * 3.7, film.height - size - 84);
  const turn = Math.sin(frame / 9) * 8;
  const share = frame / (film.framesPerS * film.seconds);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${film.width}" height="${film.height}">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#0b3b2e"/><stop offset="1" stop-color="#14584a"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#g)"/>
<g fill="none" stroke="#b9f3dc" stroke-opacity=".12" stroke-width="2">${[60, 120, 180, 240, 300].map((r) => `<circle cx="${film.width}" cy="${film.height}" r="${r}"/>`).join('')}</g>
<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)} ${size / 2} ${size / 2}) scale(${size / 64})">
<path fill="#fffdf7" d="M32 6c2.9 0 5.6 1.5 7 4l19.2 33.3c3.1 5.4-.8 12.2-7 12.2H12.8c-6.2 0-10.1-6.8-7-12.2L25 10c1.4-2.5 4.1-4 7-4Z"/>
<path fill="#0f3d31" d="M19 42a4.5 4.5 0 0 1 4.5-4.5h17A4.5 4.5 0 0 1 45 42v13.5H19Z"/>
<g fill="#14211c"><circle cx="25" cy="28.5" r="2.3"/><circle cx="39" cy="28.5" r="2.3"/></g>
<path d="M29 31.5c1.8 2 4.2 2 6 0" fill="none" stroke="#14211c" stroke-width="1.6" stroke-linecap="round"/>
<g fill="#ff86ae" opacity=".85"><ellipse cx="20.8" cy="32.5" rx="2.7" ry="1.6"/><ellipse cx="43.2" cy="32.5" rx="2.7" ry="1.6"/></g></g>
<g fill="#d5f5e9">${timeCode(frame)}</g>
<rect x="0" y="352" width="${(film.width * share).toFixed(1)}" height="8" fill="#3ed3a0"/></svg>`;
}

try {
  // A short, soft tone each second, so that the volume can be heard.
  const tone = `aevalsrc='0.12*sin(440*2*PI*t)*lt(mod(t,1),0.08)':d=${film.seconds}`;
  const pictures = `-f rawvideo -pix_fmt rgb24 -s ${film.width}x${film.height} -r ${film.framesPerS} -i -`;
  const encoding = '-c:v libvpx-vp9 -b:v 0 -crf 40 -g 30 -row-mt 1 -c:a libopus -b:a 24k -shortest';
  const encoder = spawn(
    'ffmpeg',
    ['-y', '-loglevel', 'error', ...pictures.split(' '), '-f', 'lavfi', '-i', tone].concat(
      encoding.split(' '),
      file,
    ),
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  const ended = once(encoder, 'exit');
  for (let frame = 0; frame < film.framesPerS * film.seconds; frame += 1) {
    // In order: the encoder reads one picture after the other.
    const pixels = await sharp(Buffer.from(draw(frame)))
      .removeAlpha()
      .raw()
      .toBuffer();
    if (!encoder.stdin.write(pixels)) {
      await once(encoder.stdin, 'drain');
    }
  }
  encoder.stdin.end();
  const [code] = await ended;
  if (code !== 0) {
    throw new Stop('ffmpeg could not encode the film.');
  }
  say(`the film is ${path.relative(process.cwd(), file)}`);
} catch (failure) {
  giveUp(failure);
}
